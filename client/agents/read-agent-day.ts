import type { AgentStretch } from '../../lib/contract/rows.ts';
import { timelineKey } from '../../lib/floor/keys.ts';
import { justBefore } from '../../lib/time/days.ts';
import type { DayBounds } from '../arguments/day-from.ts';
import { readAgentStretch } from '../reading/row-readers.ts';
import { tableKey } from '../reading/table-keys.ts';
import { allRows, type TableReader } from '../reading/table-reader.ts';

/** Whose day is wanted, and its bounds. */
export interface WantedDay {
  readonly account: string;
  readonly agentId: string;
  readonly bounds: DayBounds;
}

/** The stretches of an agent's day, in the order of time. */
export const readAgentDay = async (
  table: TableReader,
  { account, agentId, bounds: { start, end } }: WantedDay,
): Promise<readonly AgentStretch[]> => {
  const query = { ...tableKey, partition: timelineKey(account, agentId), from: start, to: justBefore(end) };
  const stretches = (await allRows(table, query)).map(readAgentStretch);
  if (stretches.every((stretch) => isDivided(stretch, start, end))) return stretches;
  throw new RangeError(
    'timeZone: expected the account’s; the stretches of this day are divided by midnights of another.',
  );
};

/** A stretch ends with the day at the latest, and one that had begun before goes on from its first instant. */
const isDivided = ({ since, from, to }: AgentStretch, start: string, end: string): boolean =>
  (to === undefined || to <= end) && (since === from || from === start);
