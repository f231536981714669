import assert from 'node:assert/strict';
import type { Facts } from '../../../lib/record/delivery.ts';
import { history } from '../../../test/lib/support/agent-history.ts';

/** The rows say of everybody what the centre says, and that it is heard of. */
export const expectFloorToBe = (rows: readonly Facts[], there: ReadonlyMap<string, Facts>): void => {
  const { feed, agents } = history(rows);
  const kept = agents.map(({ agentId, stateAsSent, name, phoneNumber, skills }): [string, Facts] => [
    String(agentId),
    { stateAsSent, name, phoneNumber, skills },
  ]);
  assert.deepEqual(new Map(kept), new Map(there), 'the rows are of those who are there');
  assert.deepEqual([feed?.['status'], feed?.['agentCount']], ['live', there.size], 'the feed counts them');
};
