import { AssertionError } from 'node:assert';
import assert from 'node:assert/strict';
import type { Facts } from '../../../lib/core/objects.ts';
import {
  expectConsistentChanges,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  history,
} from '../../support/agent-history.ts';
import { comparableRows } from './check-calls.ts';
import type { FinalState } from './run-scenario.ts';

/** What a check that throws has to say, or nothing. */
const problemOf = async (check: () => unknown): Promise<readonly string[]> => {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof AssertionError) return [error.message];
    throw error;
  }
};

/** As the accounts of stories have it, who name none. */
const timeZone = 'Asia/Kolkata';

/** The floor, its history and its events are those of the centre, whatever went wrong on the way. */
export const checkAgents = async (ending: FinalState, undisturbed: FinalState): Promise<readonly string[]> => {
  const { rows, changes, floor, offences } = ending;
  if (undisturbed.rows.agents.length === 0) return offences;
  const checks = [
    () => expectTimelinesToAddUp(rows.agents, timeZone),
    () => expectSnapshotsToAgree(rows.agents),
    () => expectConsistentChanges(changes.filter(({ after }) => after?.['kind'] === 'agent')),
    () =>
      assert.deepEqual(presentAgents(rows.agents), floor.map((agent) => `${agent.AgentId} ${agent.AgentState}`).sort()),
    () => assert.deepEqual(agentRows(ending), agentRows(undisturbed), 'the agents’ rows differ'),
    () => assert.deepEqual(statesOf(ending), statesOf(undisturbed), 'the timelines tell of other states'),
    () => assert.deepEqual(eventsByAgent(ending), eventsByAgent(undisturbed), 'the events tell another story'),
    () =>
      assert.deepEqual(feedSummary(rows.agents), feedSummary(undisturbed.rows.agents), 'the feed says something else'),
    () => assertAlternating(ending),
  ];
  const problems = await Promise.all(checks.map(problemOf));
  return [...problems.flat(), ...offences];
};

const presentAgents = (rows: readonly Facts[]): readonly string[] =>
  history(rows)
    .agents.map(({ agentId, stateAsSent }) => `${agentId} ${stateAsSent}`)
    .sort();

const agentRows = (ending: FinalState): readonly string[] => comparableRows(ending, history(ending.rows.agents).agents);

/** The states of each agent in their order; midnight and a poll that was cut divide none. */
const statesOf = ({ rows }: FinalState) =>
  Object.fromEntries(
    [...history(rows.agents).intervalsOf]
      .map(([agentId, all]) => [
        agentId,
        all.map(({ state }) => state).filter((state, index, states) => state !== states[index - 1]),
      ])
      .sort(),
  );

/** What subscribers hear of each agent. */
const eventsByAgent = ({ events }: FinalState): Readonly<Record<string, readonly string[]>> => {
  const once = new Map(events.map((event) => [event.detail['id'], event]));
  const told = [...once.values()].filter(({ detail }) => detail['agentId'] !== undefined);
  const byAgent = Map.groupBy(told, ({ detail }) => String(detail['agentId']));
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

/** An interruption is told once, and so is its end. */
const assertAlternating = ({ events }: FinalState): void => {
  const once = new Map(events.map((event) => [event.detail['id'], event['detail-type']]));
  const told = [...once.values()].filter((type) => type.startsWith('Agent Feed '));
  const expected = told.map((_, index) => (index % 2 === 0 ? 'Agent Feed Interrupted' : 'Agent Feed Restored'));
  assert.deepEqual(told, expected, 'interruptions and their ends do not alternate');
  assert.equal(told.length % 2, 0, 'an interruption is not told to be over');
};
