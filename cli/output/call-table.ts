import type { ListedCall } from '../../client/index.ts';
import type { Terminal } from '../terminal.ts';
import { durationText } from './duration-text.ts';
import { namesOf } from './names-of.ts';
import { report } from './report.ts';

const columns = {
  listedAt: 'TIME',
  callId: 'CALL',
  leg: 'LEG',
  type: 'TYPE',
  status: 'STATUS',
  time: 'LASTED',
  agents: 'AGENTS',
  skillName: 'SKILL',
  campaignName: 'CAMPAIGN',
  dispositions: 'DISPOSITIONS',
};
const personalColumns = { customerNumber: 'CUSTOMER', names: 'NAMES' };

/** Prints a list of calls as a table. */
export const callTable = (terminal: Terminal, calls: readonly ListedCall[], showPersonal: boolean): void =>
  report(terminal, false, { ...columns, ...(showPersonal && personalColumns) }, calls.map(rowOf));

const rowOf = ({ agentIds, agentNames, dispositions, callDurationSeconds, ...call }: ListedCall) => ({
  ...call,
  time: callDurationSeconds === undefined ? undefined : durationText(callDurationSeconds),
  agents: namesOf(agentIds),
  dispositions: namesOf(dispositions),
  names: namesOf(agentNames),
});
