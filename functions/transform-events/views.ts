import { agentIntervalsView, agentTimeQuartersView } from './agent-views.ts';
import { agentCallQuartersView, callQuartersView, callsView, countedCallsView, settingsView } from './call-views.ts';
import type { SqlFile } from './sql-files.ts';

/** The views, in the order in which they are created: each reads tables and views before it. */
export const views: readonly SqlFile[] = [
  settingsView,
  callsView,
  countedCallsView,
  callQuartersView,
  agentCallQuartersView,
  agentIntervalsView,
  agentTimeQuartersView,
];
