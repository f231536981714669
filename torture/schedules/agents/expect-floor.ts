import assert from 'node:assert/strict';
import type { Facts } from '../../../lib/record/delivery.ts';
import { history } from '../../../test/lib/support/agent-history.ts';

/** The rows say of everybody what the centre says, and that it is heard of. */
export const expectFloorToBe = (rows: readonly Facts[], states: ReadonlyMap<string, string>): void => {
  const { feed, agents } = history(rows);
  const kept = agents.map(({ agentId, stateAsSent }): [string, unknown] => [String(agentId), stateAsSent]);
  assert.deepEqual(new Map(kept.sort()), new Map([...states].sort()), 'the rows are of those who are there');
  assert.deepEqual([feed?.['status'], feed?.['agentCount']], ['live', states.size], 'the feed counts them');
};
