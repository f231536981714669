import assert from 'node:assert/strict';
import type { Facts } from '../../../lib/record/delivery.ts';
import { history } from '../../../test/lib/support/agent-history.ts';

/** The rows say of everybody what the centre says, and are listed under their states; and the feed counts them. */
export const expectFloorToBe = (rows: readonly Facts[], there: ReadonlyMap<string, Facts>): void => {
  const { feed, agents } = history(rows);
  const kept = agents.map(({ agentId, state, stateAsSent, name, phoneNumber, skills }): [string, Facts] => [
    String(agentId),
    { state, stateAsSent, name, phoneNumber, skills },
  ]);
  assert.deepEqual(new Map(kept), new Map(there), 'the rows are of those who are there');
  for (const { account, agentId, state, agentsInState } of agents)
    assert.equal(agentsInState, `${account}#${state}`, `${agentId} is listed under the state`);

  const states = [...there.values()].map(({ state }) => String(state));
  const counts = Object.fromEntries(
    [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
  );
  const found = [feed?.['status'], feed?.['agentCount'], feed?.['counts']];
  assert.deepEqual(found, ['live', there.size, counts], 'the feed counts them');
};
