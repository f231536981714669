import assert from 'node:assert/strict';
import { agentEvents } from '../../lib/contract/agent-events.ts';
import type { EventDetail, RowChange } from '../../lib/publish/events-of-change.ts';
import { publishChanges } from '../../lib/publish/publish-changes.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { recordingBus, recordingTelemetry } from './memory-ports.ts';

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
export const expectTimelinesToAddUp = (rows: readonly Row[], timeZone: string): void => {
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
export const expectSnapshotsToAgree = (rows: readonly Row[]): void => {
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
  await publishChanges({ bus, telemetry, clock: () => new Date() })(changes);
  assert.deepEqual(telemetry.faults, [], 'every row can be published');
  return bus.sent();
};

interface PublishedState {
  readonly state: string;
  readonly since: string;
  readonly version: number;
}

interface AgentEvent {
  readonly type: string;
  readonly detail: EventDetail;
}

/** Each agent's events are consistent: every change once, in order, each from the state before. */
export const expectConsistentEvents = (events: readonly AgentEvent[]): void => {
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
