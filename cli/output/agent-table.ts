import type { KeptAgent } from '../../client/index.ts';
import { secondsBetween } from '../../lib/floor/stretch.ts';
import type { Terminal } from '../terminal.ts';
import { durationText } from './duration-text.ts';
import { namesOf } from './names-of.ts';
import { report } from './report.ts';

const columns = { agentId: 'AGENT', state: 'STATE', since: 'SINCE', time: 'FOR', skills: 'SKILLS' };
const personalColumns = { name: 'NAME', phoneNumber: 'NUMBER', stateAsSent: 'AS SENT' };

/** Prints agents as a table; how long they have been in their states is counted up to an instant. */
export const agentTable = (
  terminal: Terminal,
  agents: readonly KeptAgent[],
  { until, showPersonal }: { readonly until: string; readonly showPersonal: boolean },
): void =>
  report(
    terminal,
    false,
    { ...columns, ...(showPersonal && personalColumns) },
    agents.map((agent) => ({
      ...agent,
      time: durationText(secondsBetween(agent.since, until)),
      skills: namesOf(agent.skills),
    })),
  );
