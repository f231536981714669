import assert, { AssertionError } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import { decompressText } from '../../../lib/core/encoding.ts';
import { canonicalJson } from '../../../lib/core/json.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import type { DeliveredEvent } from '../../../sandbox/aws/event-bus.ts';
import { agentGuarantees, history, publishedEvents, revisionProblems } from '../guarantees.ts';
import type { FinalState, Scenario } from './scenario.ts';

/**
 * Attributes that a fault may change: times of receipt and of writing, whether that was late, how many writes there
 * were, and which came last. Times of receipt and revisions have checks of their own.
 */
const variable = new Set([
  ...['version', 'revision', 'recordedAt', 'firstRecordedAt', 'lateCalls', 'lastChange'],
  ...['firstReceivedAt', 'lastReceivedAt', 'receivedAt', 'expiresAt'],
]);

/** Rows as sorted texts, without what a fault may change and without the account’s name. */
const comparableRows = ({ name }: FinalState, rows: readonly Row[]): readonly string[] =>
  rows.map((row) => canonicalJson(without(row)).replaceAll(name, 'ACCOUNT')).sort();

const without = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !variable.has(field))
      // It names the account, and compressed that would hide in it.
      .map(([field, inner]) => [field, field === 'asSent' ? decompressText(String(inner)) : without(inner)]),
  );
};

/** What is in one list and not in the other; repeats count. */
const missing = (expected: readonly string[], found: readonly string[]): readonly string[] => {
  const left = [...found];
  return expected.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
};

/** The id is a hash over the account too, so it differs from run to run. */
const withoutId = ({ id: _id, ...row }: Row): Row => row;

/** Every call, participant and entry is there as without a fault, and nothing else is. */
const checkCalls = (final: FinalState, baseline: FinalState): readonly string[] => [
  ...differences('a row of calls', final, baseline, (of) => of.rows.calls),
  ...differences('a quarantined body', final, baseline, (of) => of.rows.quarantine.map(withoutId)),
  ...checkAcknowledged(final),
  ...checkReceipts(final),
  ...checkEntries(final),
];

const differences = (
  what: string,
  final: FinalState,
  baseline: FinalState,
  rows: (of: FinalState) => readonly Row[],
) => {
  const found = comparableRows(final, rows(final));
  const expected = comparableRows(baseline, rows(baseline));
  return [
    ...missing(expected, found).map((row) => `${what} is missing or different: ${row}`),
    ...missing(found, expected).map((row) => `${what} is there and should not be: ${row}`),
  ];
};

const deliveriesOf = ({ deliveries }: Row): readonly { readonly receivedAt: string }[] =>
  Array.isArray(deliveries) ? deliveries : [];

/** What was acknowledged is in the table, or among the dead letters if a foreign row occupies its key. */
const checkAcknowledged = ({ rows, acknowledged, deadLetters }: FinalState): readonly string[] =>
  [...acknowledged]
    .filter((id) => !rows.calls.some(({ kind, callId }) => kind === 'call' && callId === id))
    .filter((id) => !deadLetters.some((body) => body.includes(`"callId":"${id}"`)))
    .map((id) => `the call ${id} was acknowledged and is lost`);

/** The time of receipt is that of a post, never a later one such as that of the recovery. */
const checkReceipts = ({ rows, tries }: FinalState): readonly string[] =>
  rows.calls
    .flatMap(deliveriesOf)
    .filter(({ receivedAt }) => !tries.includes(receivedAt))
    .map(({ receivedAt }) => `a delivery has ${receivedAt} as its time of receipt, when nothing was posted`);

/** The entries of further agents are written with their call, in the same revision. */
const checkEntries = ({ rows }: FinalState): readonly string[] => {
  const callOf = ({ callId, revision }: Row): string => JSON.stringify([callId, revision]);
  const legs = new Set(rows.calls.filter(({ kind }) => kind === 'call').map(callOf));
  return rows.calls
    .filter((row) => row['kind'] === 'agent-entry' && !legs.has(callOf(row)))
    .map((entry) => `an agent’s entry has another revision than its call: ${JSON.stringify(entry)}`);
};

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A line for each call and participant: its id, the number of its deliveries and of its revisions. */
const recordLines = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter(({ kind }) => kind === 'call' || kind === 'participant')
    .map(({ kind, callId, deliveries, revision }) => `${kind} ${callId}: ${countOf(deliveries)} in ${revision}`)
    .sort();

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

/** Every guarantee of agents holds, and their timelines have the states that they have without a fault. */
const checkAgents = (final: FinalState, baseline: FinalState): readonly string[] => {
  const { loggedIn, offences, rows } = final;
  // Where nobody polls, the table dates the latest callback alone.
  if (baseline.rows.agents.every(({ kind }) => kind === 'callbacks')) return offences;
  const once = [...new Map(final.events.map((event) => [event.detail['id'], event])).values()];
  const events = once
    .filter(({ detail }) => detail['callId'] === undefined)
    .map(({ 'detail-type': type, detail }) => ({ type, detail }));
  const checks = [
    ...agentGuarantees({ rows: rows.agents, events, timeZone, expected: loggedIn }),
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

const idOf = ({ detail }: DeliveredEvent): string => String(detail['id']);

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

const contractViolations = (event: DeliveredEvent): readonly string[] => {
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
