import { AssertionError } from 'node:assert';
import assert from 'node:assert/strict';
import type { Facts } from '../../../lib/core/collections.ts';
import {
  expectConsistentChanges,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  history,
} from '../../support/agent-history.ts';
import { comparableRows } from './check-calls.ts';
import type { FinalState } from './run-scenario.ts';

const problemOf = async (check: () => unknown): Promise<readonly string[]> => {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof AssertionError) return [error.message];
    throw error;
  }
};

/** The default of accounts that name no time zone, as those of scenarios. */
const timeZone = 'Asia/Kolkata';

/** Whatever went wrong on the way: the agents, their history and their events are those of the contact centre. */
export const checkAgents = async (final: FinalState, baseline: FinalState): Promise<readonly string[]> => {
  const { rows, changes, loggedIn, offences } = final;
  if (baseline.rows.agents.length === 0) return offences;
  const checks = [
    () => expectTimelinesToAddUp(rows.agents, timeZone),
    () => expectSnapshotsToAgree(rows.agents),
    () => expectConsistentChanges(changes.filter(({ after }) => after?.['kind'] === 'agent')),
    () =>
      assert.deepEqual(
        presentAgents(rows.agents),
        loggedIn.map((agent) => `${agent.AgentId} ${agent.AgentState}`).sort(),
      ),
    () => assert.deepEqual(agentRows(final), agentRows(baseline), 'the agents’ rows differ'),
    () => assert.deepEqual(statesOf(final), statesOf(baseline), 'the timelines have other states'),
    () => assert.deepEqual(eventsByAgent(final), eventsByAgent(baseline), 'the events differ'),
    () => assert.deepEqual(feedSummary(rows.agents), feedSummary(baseline.rows.agents), 'the feed differs'),
    () => assertAlternating(final),
  ];
  const problems = await Promise.all(checks.map(problemOf));
  return [...problems.flat(), ...offences];
};

const presentAgents = (rows: readonly Facts[]): readonly string[] =>
  history(rows)
    .agents.map(({ agentId, stateAsSent }) => `${agentId} ${stateAsSent}`)
    .sort();

const agentRows = (final: FinalState): readonly string[] => comparableRows(final, history(final.rows.agents).agents);

/** The states of each agent in their order. Midnight and an aborted poll split an interval, which is no change. */
const statesOf = ({ rows }: FinalState) =>
  Object.fromEntries(
    [...history(rows.agents).intervalsOf]
      .map(([agentId, all]) => [
        agentId,
        all.map(({ state }) => state).filter((state, index, states) => state !== states[index - 1]),
      ])
      .sort(),
  );

const eventsByAgent = ({ events }: FinalState): Readonly<Record<string, readonly string[]>> => {
  const once = new Map(events.map((event) => [event.detail['id'], event]));
  const published = [...once.values()].filter(({ detail }) => detail['agentId'] !== undefined);
  const byAgent = Map.groupBy(published, ({ detail }) => String(detail['agentId']));
  return Object.fromEntries(
    [...byAgent]
      .map(
        ([agentId, all]) =>
          [
            agentId,
            all.map(
              ({ 'detail-type': type, detail }) => `${type} ${detail['version']} ${Object(detail['current']).state}`,
            ),
          ] as const,
      )
      .sort(),
  );
};

const feedSummary = (rows: readonly Facts[]) => {
  const { status, counts, agentCount, unreadableRecords, poller } = history(rows).feed ?? {};
  return { status, counts, agentCount, unreadableRecords, inFlight: Object(poller).inFlight };
};

/** Each interruption is published once, and so is its end. */
const assertAlternating = ({ events }: FinalState): void => {
  const once = new Map(events.map((event) => [event.detail['id'], event['detail-type']]));
  const published = [...once.values()].filter((type) => type.startsWith('Agent Feed '));
  const expected = published.map((_, index) => (index % 2 === 0 ? 'Agent Feed Interrupted' : 'Agent Feed Restored'));
  assert.deepEqual(published, expected, 'interruptions and their ends do not alternate');
  assert.equal(published.length % 2, 0, 'the end of an interruption was not published');
};
