import assert, { AssertionError } from 'node:assert/strict';
import {
  expectConsistentEvents,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  history,
} from '../../support/agent-history.ts';
import {
  expectAgentsToBe,
  expectEachChangePublished,
  expectInterruptionsToEnd,
} from '../schedules/agents/check-agents.ts';
import type { FinalState } from './run-scenario.ts';

const problemOf = (check: () => void): readonly string[] => {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AssertionError) return [error.message];
    throw error;
  }
};

/** The default of accounts that name no time zone, as those of scenarios. */
const timeZone = 'Asia/Kolkata';

/** Whatever went wrong on the way: the agents, their history and their events are those of the contact centre. */
export const checkAgents = (final: FinalState, baseline: FinalState): readonly string[] => {
  const { loggedIn, offences, rows } = final;
  // Where nobody polls, the table dates the latest callback alone.
  if (baseline.rows.agents.every(({ kind }) => kind === 'callbacks')) return offences;
  const once = [...new Map(final.events.map((event) => [event.detail['id'], event])).values()];
  const events = once
    .filter(({ detail }) => detail['callId'] === undefined)
    .map(({ 'detail-type': type, detail }) => ({ type, detail }));
  const checks = [
    () => expectTimelinesToAddUp(rows.agents, timeZone),
    () => expectSnapshotsToAgree(rows.agents),
    () => expectConsistentEvents(events),
    () => expectEachChangePublished(events, rows.agents),
    () => expectInterruptionsToEnd(events),
    () => expectAgentsToBe(rows.agents, loggedIn),
    () => assert.deepEqual(statesOf(final), statesOf(baseline), 'the timelines have other states'),
  ];
  return [...checks.flatMap(problemOf), ...offences];
};

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
