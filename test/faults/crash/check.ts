import assert, { AssertionError } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import type { Envelope } from '../../../sandbox/bus/event-log.ts';
import {
  expectConsistentEvents,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  history,
  publishedEvents,
} from '../../support/agent-history.ts';
import { revisionProblems } from '../revisions.ts';
import {
  expectAgentsToBe,
  expectEachChangePublished,
  expectInterruptionsToEnd,
} from '../schedules/agents/check-agents.ts';
import { checkCalls, recordLines } from './check-calls.ts';
import type { FinalState } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

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
const checkAgents = (final: FinalState, baseline: FinalState): readonly string[] => {
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

const schemas: ReadonlyMap<string, z.ZodMiniType> = new Map(Object.entries(eventSchemasFor('keep')));

const idOf = ({ detail }: Envelope): string => String(detail['id']);

/** Every change is published under one id, and nothing else is. A repeat is identical, and occurs only after a crash or a lost answer. */
const checkEvents = async (final: FinalState): Promise<readonly string[]> => {
  const { rows, events, changes, repeatsExplained } = final;
  const published = Map.groupBy(events, idOf);
  const expected = new Set((await publishedEvents(changes)).map(({ detail }) => detail.id));
  const repeated = [...published.values()].filter((all) => all.length > 1);
  return [
    ...[...expected].filter((id) => !published.has(id)).map((id) => `the event ${id} never reached the bus`),
    ...[...published.keys()].filter((id) => !expected.has(id)).map((id) => `the event ${id} belongs to no change`),
    ...repeated
      .filter((all) => !all.every(({ detail }) => isDeepStrictEqual(detail, all[0]?.detail)))
      .map(([first]) => `the event ${first?.detail['id']} was repeated with other content`),
    ...(repeatsExplained
      ? []
      : repeated.map(([first]) => `an event was repeated for no reason: ${JSON.stringify(first)}`)),
    ...events.flatMap(contractViolations),
    ...revisionProblems(
      rows.calls,
      events.map(({ detail }) => detail),
    ),
  ];
};

const contractViolations = (event: Envelope): readonly string[] => {
  const parsed = schemas.get(event['detail-type'])?.safeParse(event.detail);
  return parsed?.success ? [] : [`an event breaks its contract: ${JSON.stringify(event)}`];
};

/** Every guarantee that the final state breaks, compared with the same scenario without a fault. */
export const check = async (
  scenario: Scenario,
  final: FinalState,
  baseline: FinalState,
): Promise<readonly string[]> => {
  const { deadLetters = 0 } = scenario;
  return [
    ...checkCalls(final, baseline),
    ...(await checkEvents(final)),
    ...checkAgents(final, baseline),
    ...final.leaks.map((leak) => `a key is in ${leak}`),
    ...final.parked.map((body) => `a message is left in the parking queue: ${body}`),
    ...(distinct(final.deadLetters) === deadLetters ? [] : [`dead letters: ${final.deadLetters}`]),
    ...(final === baseline ? checkBaseline(scenario, final) : []),
  ];
};

/** The state that others are compared with must be right itself. */
const checkBaseline = ({ statuses, records }: Scenario, final: FinalState): readonly string[] => [
  ...differs('the posts are answered', statuses, final.statuses),
  ...differs('the records are', records, recordLines(final.rows.calls)),
];

const differs = (
  what: string,
  expected: readonly unknown[] | undefined,
  found: readonly unknown[],
): readonly string[] =>
  expected === undefined || isDeepStrictEqual(found, expected) ? [] : [`${what} ${found}, not ${expected}`];

/** How many distinct records there are in messages: one may be parked twice if the answer to the first was lost. */
const distinct = (bodies: readonly string[]): number =>
  new Set(bodies.map((body) => body.replace(/"receivedAt":"[^"]*"/, ''))).size;
