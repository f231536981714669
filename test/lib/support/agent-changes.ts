import type { CurrentAgent } from '../../../lib/floor/current-agent.ts';
import { agentRow } from '../../../lib/floor/rows.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import type { Facts } from '../../../lib/record/delivery.ts';

const stored = (agent: CurrentAgent | undefined): Facts | undefined =>
  agent && JSON.parse(JSON.stringify(agentRow('demo', agent)));

/** The change of an agent's row, as the table's stream tells it. */
export const agentChange = (
  before: CurrentAgent | undefined,
  after: CurrentAgent | undefined,
  sequence = '1',
): RowChange => ({ sequence, before: stored(before), after: stored(after) });
