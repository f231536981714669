import assert from 'node:assert/strict';
import { publishChanges } from '../../functions/publish-changes/publish-changes.ts';
import { withDerived } from '../../lib/calls/call-record.ts';
import { recordOf, withE164OfRow } from '../../lib/calls/call-row.ts';
import { agentEvents } from '../../lib/contract/agent-events.ts';
import { canonicalJson } from '../../lib/core/json.ts';
import type { EventDetail, RowChange } from '../../lib/publish/events-of-change.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { recordingBus, recordingTelemetry } from '../support/memory-ports.ts';

const text = (row: Row, name: string): string => String(row[name]);

const ofKind = (rows: readonly Row[], kind: string) => rows.filter((row) => row['kind'] === kind);

/** The rows of an agents' table by kind. */
export const history = (rows: readonly Row[]) => ({
  feed: ofKind(rows, 'feed')[0],
  agents: ofKind(rows, 'agent'),
  snapshots: ofKind(rows, 'floor'),
  intervalsOf: Map.groupBy(
    ofKind(rows, 'interval').sort((a, b) => (text(a, 'from') < text(b, 'from') ? -1 : 1)),
    (row) => text(row, 'agentId'),
  ),
});

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Dates come from the runtime's own calendar: with lib's code a wrong midnight would go unnoticed. */
const calendarOf = (timeZone: string): Intl.DateTimeFormat => {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar;
};

/** Each agent's intervals do not overlap, lie in one day each, and lead up to the agent's present row. */
const expectTimelinesToAddUp = (rows: readonly Row[], timeZone: string): void => {
  const { agents, intervalsOf } = history(rows);
  for (const [agentId, intervals] of intervalsOf) {
    const now = agents.find((row) => row['agentId'] === agentId);
    for (const [index, interval] of intervals.entries()) {
      const next = intervals[index + 1];
      const to = interval['to'];
      if (to === undefined) {
        assert.equal(next, undefined, `${agentId}: an open interval is the last`);
        const present = [now?.['intervalFrom'], now?.['since'], now?.['state']];
        const open = [interval['from'], interval['since'], interval['state']];
        assert.deepEqual(present, open, `${agentId}: the open interval is that of the agent's row`);
        continue;
      }
      const seconds = (Date.parse(String(to)) - Date.parse(text(interval, 'from'))) / 1000;
      assert.ok(seconds > 0, `${agentId}: an interval has a length`);
      assert.equal(interval['seconds'], seconds, `${agentId}: an interval has the right seconds`);
      const lastMoment = new Date(Date.parse(String(to)) - 1).toISOString();
      const days = [lastMoment, text(interval, 'from')].map((at) => calendarOf(timeZone).format(new Date(at)));
      assert.equal(days[0], days[1], `${agentId}: an interval lies in one day`);
      if (next !== undefined) assert.ok(text(next, 'from') >= String(to), `${agentId}: intervals do not overlap`);
    }
    const isOpen = intervals.at(-1)?.['to'] === undefined;
    const isLoggedIn = now !== undefined && now['state'] !== 'logged-out';
    assert.equal(isOpen, isLoggedIn, `${agentId}: an agent has an open interval exactly while logged in`);
  }
};

/** The state of each logged-in agent at an instant, by the intervals. */
export const statesAt = (rows: readonly Row[], at: string): Readonly<Record<string, string>> => {
  const covering = [...history(rows).intervalsOf.values()]
    .flat()
    .filter((row) => text(row, 'from') <= at && (row['to'] === undefined || at < String(row['to'])));
  return Object.fromEntries(covering.map((row) => [text(row, 'agentId'), text(row, 'state')]).sort());
};

interface ListedAgent {
  readonly agentId: string;
  readonly state: string;
}

const listed = (row: Row): readonly ListedAgent[] => {
  const { agents } = row;
  return Array.isArray(agents) ? agents : [];
};

/** Every snapshot of a live feed has the same states as the timelines. */
const expectSnapshotsToAgree = (rows: readonly Row[]): void => {
  const live = history(rows).snapshots.filter((row) => row['status'] === 'live');
  for (const [at, parts] of Map.groupBy(live, (row) => text(row, 'at'))) {
    const states = parts.flatMap(listed).map(({ agentId, state }): [string, string] => [agentId, state]);
    assert.deepEqual(Object.fromEntries(states.sort()), statesAt(rows, at), `the snapshot of ${at}`);
  }
};

/** The events that a stream becomes. */
export const publishedEvents = async (changes: readonly RowChange[]) => {
  const bus = recordingBus();
  const telemetry = recordingTelemetry();
  await publishChanges({ bus, telemetry })(changes);
  assert.deepEqual(telemetry.faults, [], 'every row can be published');
  return bus.sent();
};

interface PublishedState {
  readonly state: string;
  readonly since: string;
  readonly version: number;
}

/** Each agent's events are consistent: every change once, in order, each from the state before. */
const expectConsistentEvents = (events: readonly AgentEvent[]): void => {
  const ids = events.map(({ detail }) => detail['id']);
  assert.equal(new Set(ids).size, ids.length, 'no event is doubled');

  const latest = new Map<string, PublishedState>();
  const latestBefore = new Map<string, PublishedState | undefined>();
  for (const { type, detail } of events) {
    if (type.startsWith('Agent Feed')) continue;
    const schema = new Map<string, { parse(value: unknown): unknown }>(Object.entries(agentEvents)).get(type);
    schema?.parse(detail);
    const { agentId, version, previous, current, secondsInPreviousState } = detail as never as {
      agentId: string;
      version: number;
      previous: { state: string; since: string };
      current: { state: string; since: string };
      secondsInPreviousState: number;
    };
    // A change of state and details becomes two events of one version.
    const last = latest.get(agentId)?.version === version ? latestBefore.get(agentId) : latest.get(agentId);
    if (type === 'Agent Logged In') assert.equal(last?.state ?? 'logged-out', 'logged-out', `${agentId} logs in`);
    else {
      assert.equal(previous.state, last?.state, `${agentId} goes on from the state before`);
      assert.equal(version, (last?.version ?? 0) + 1, `${agentId}: no event is missing`);
    }
    const seconds = (Date.parse(current.since) - Date.parse(previous.since)) / 1000;
    if (type === 'Agent State Changed' || type === 'Agent Logged Out')
      assert.equal(secondsInPreviousState, seconds, `${agentId}: an event has the seconds in the state before`);
    latestBefore.set(agentId, last);
    latest.set(agentId, { state: current.state, since: current.since, version });
  }
};

export interface AgentEvent {
  readonly type: string;
  readonly detail: EventDetail;
}

const details = ['name', 'phoneNumber', 'skills'] as const;

const currentOf = ({ detail }: AgentEvent): Row => Object(detail['current']);

/** The expected events of a change, as comparable texts. */
const expectedEvents = (before: Row | undefined, now: Row): readonly string[] => {
  if (before === undefined || before['loggedInSince'] !== now['loggedInSince']) return ['Agent Logged In'];
  if (now['state'] === 'logged-out') return ['Agent Logged Out'];
  const changed = details.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return [
    ...(changed.length === 0 ? [] : [`Agent Details Changed: ${changed}`]),
    ...(before['since'] === now['since'] ? [] : ['Agent State Changed']),
  ];
};

const eventSummary = ({ type, detail }: AgentEvent): string =>
  type === 'Agent Details Changed' ? `${type}: ${detail['changedFields']}` : type;

/** Every change of an agent is published, nothing else is, and the last event equals the row. */
const expectEachChangePublished = (events: readonly AgentEvent[], rows: readonly Row[]): void => {
  const { agents } = history(rows);
  const ofAgents = events.filter(({ detail }) => detail['agentId'] !== undefined);
  const byAgent = Map.groupBy(ofAgents, ({ detail }) => String(detail['agentId']));
  for (const [agentId, own] of byAgent) {
    let before: Row | undefined;
    const versions = Map.groupBy(own, (event) => `${currentOf(event)['loggedInSince']} ${event.detail['version']}`);
    for (const [version, all] of versions) {
      const [now = {}] = all.map(currentOf);
      assert.deepEqual(
        all.map(eventSummary).sort(),
        expectedEvents(before, now),
        `${agentId}: the events of version ${version}`,
      );
      before = now;
    }
    if (before?.['state'] !== 'logged-out')
      assert.ok(
        agents.some((row) => row['agentId'] === agentId),
        `${agentId} was published as logged in, and has no row`,
      );
  }
  for (const row of agents) {
    const last = byAgent.get(String(row['agentId']))?.at(-1);
    assert.ok(last !== undefined, `${row['agentId']} has no event`);
    const inRow = Object.entries(currentOf(last)).map(([name]) => [name, row[name]]);
    assert.deepEqual(currentOf(last), Object.fromEntries(inRow), `${row['agentId']} differs from its last event`);
  }
};

/** Interruptions and their ends are published in turn, with their length. */
const expectInterruptionsToEnd = (events: readonly AgentEvent[]): void => {
  const ofFeed = events.filter(({ type }) => type.startsWith('Agent Feed'));
  const types = ofFeed.map((_, index) => (index % 2 === 0 ? 'Agent Feed Interrupted' : 'Agent Feed Restored'));
  assert.deepEqual(
    ofFeed.map(({ type }) => type),
    types,
    'interruptions and their ends alternate',
  );
  assert.equal(ofFeed.length % 2, 0, 'the end of an interruption is not published');
  for (const [index, { detail }] of ofFeed.entries()) {
    if (index % 2 === 0) continue;
    const since = String(ofFeed[index - 1]?.detail['occurredAt']);
    const seconds = Math.round((Date.parse(String(detail['occurredAt'])) - Date.parse(since)) / 1_000);
    assert.deepEqual(
      [detail['interruptedAt'], detail['secondsInterrupted']],
      [since, seconds],
      'the length of an interruption',
    );
  }
};

/** The rows equal the contact centre’s agents and are listed under their states, and the feed counts them. */
const expectAgentsToBe = (rows: readonly Row[], expected: ReadonlyMap<string, Row>): void => {
  const { feed, agents } = history(rows);
  const found = agents.map(({ agentId, state, stateAsSent, name, phoneNumber, skills }): [string, Row] => [
    String(agentId),
    { state, stateAsSent, name, phoneNumber, skills },
  ]);
  assert.deepEqual(new Map(found), new Map(expected), 'the rows differ from the contact centre');
  for (const { account, agentId, state, agentsInState } of agents)
    assert.equal(agentsInState, `${account}#${state}`, `${agentId} is listed under the state`);

  const states = [...expected.values()].map(({ state }) => String(state));
  const counts = Object.fromEntries(
    [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
  );
  const feedSummary = [feed?.['status'], feed?.['agentCount'], feed?.['counts']];
  assert.deepEqual(feedSummary, ['live', expected.size, counts], 'the feed counts the agents wrongly');
};

/** The agents of an account when everything is over. */
interface FinalAgents {
  readonly rows: readonly Row[];
  /** Each event once, in order. */
  readonly events: readonly AgentEvent[];
  readonly timeZone: string;
  /** The agents of the contact centre. */
  readonly expected: ReadonlyMap<string, Row>;
  /** The rows without snapshots that a fault may leave. */
  readonly withoutStrays?: readonly Row[];
}

/** Whatever went wrong on the way: the agents, their history and their events are those of the contact centre. */
export const agentGuarantees = ({ rows, events, timeZone, expected, withoutStrays = rows }: FinalAgents) => [
  () => expectTimelinesToAddUp(rows, timeZone),
  () => expectSnapshotsToAgree(withoutStrays),
  () => expectConsistentEvents(events),
  () => expectEachChangePublished(events, rows),
  () => expectInterruptionsToEnd(events),
  () => expectAgentsToBe(rows, expected),
];

const recordName = ({ callId, participantId }: Row): string => JSON.stringify([callId, participantId]);

/**
 * What is wrong with the events of calls and participants, by their rows: each row has one event for each revision, from 1
 * to the last in order, and the last event equals the row unless it was truncated. Repeats under the same id do not count.
 */
export const revisionProblems = (rows: readonly Row[], details: readonly EventDetail[]): readonly string[] => {
  const records = rows.filter(({ kind }) => kind === 'call' || kind === 'participant');
  const distinct = new Map(
    details.filter(({ callId }) => callId !== undefined).map((detail) => [detail['id'], detail]),
  );
  const published = Map.groupBy(distinct.values(), recordName);
  const names = new Set(records.map(recordName));
  return [
    ...records.flatMap((row) => problemsOf(row, published.get(recordName(row)) ?? [])),
    ...[...published.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `there are events of ${name}, but no row`),
  ];
};

const problemsOf = (row: Row, events: readonly EventDetail[]): readonly string[] => {
  const { key, facts, revision } = recordOf(row);
  const revisions = events.map((detail) => Number(detail['revision']));
  if (revisions.length !== revision || revisions.some((each, index) => each !== index + 1))
    return [`the events of ${recordName(row)} have the revisions ${revisions}, not 1 to ${revision}`];

  const last = events.at(-1);
  const isEqual = canonicalJson(last?.[key.kind]) === canonicalJson(withE164OfRow(withDerived(facts), row));
  return isEqual || last?.['shortenedFields'] !== undefined
    ? []
    : [`the last event of ${recordName(row)} differs from its row`];
};
