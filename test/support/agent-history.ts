import assert from 'node:assert/strict';
import { agentEvents } from '../../lib/contract/agent-events.ts';
import type { Facts } from '../../lib/core/objects.ts';
import { publishChanges } from '../../lib/publish/publish-changes.ts';
import type { RowChange } from '../../lib/publish/row-change.ts';
import { recordingBus, recordingTelemetry } from './memory-ports.ts';

const text = (row: Facts, name: string): string => String(row[name]);

const ofKind = (rows: readonly Facts[], kind: string) => rows.filter((row) => row['kind'] === kind);

/** The rows of a table of agents, told apart. */
export const history = (rows: readonly Facts[]) => ({
  feed: ofKind(rows, 'feed')[0],
  agents: ofKind(rows, 'agent'),
  floors: ofKind(rows, 'floor'),
  stretchesOf: Map.groupBy(
    ofKind(rows, 'interval').sort((a, b) => (text(a, 'from') < text(b, 'from') ? -1 : 1)),
    (row) => text(row, 'agentId'),
  ),
});

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Dates by the runtime's own calendar: by lib's, a wrong midnight would be as wrong here. */
const calendarOf = (timeZone: string): Intl.DateTimeFormat => {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar;
};

/** Each agent's stretches follow each other without gap or overlap, in one day each, up to the row that stands now. */
export const expectTimelinesToAddUp = (rows: readonly Facts[], timeZone: string): void => {
  const { agents, stretchesOf } = history(rows);
  for (const [agentId, stretches] of stretchesOf) {
    const now = agents.find((row) => row['agentId'] === agentId);
    for (const [index, stretch] of stretches.entries()) {
      const next = stretches[index + 1];
      const to = stretch['to'];
      if (to === undefined) {
        assert.equal(next, undefined, `${agentId}: an open stretch is the last`);
        const whoIsThere = [now?.['intervalFrom'], now?.['since'], now?.['state']];
        const open = [stretch['from'], stretch['since'], stretch['state']];
        assert.deepEqual(whoIsThere, open, `${agentId}: an open stretch is of an agent who is there`);
        continue;
      }
      const seconds = (Date.parse(String(to)) - Date.parse(text(stretch, 'from'))) / 1000;
      assert.ok(seconds > 0, `${agentId}: a stretch has a length`);
      assert.equal(stretch['seconds'], seconds, `${agentId}: a stretch says how long it is`);
      const lastMoment = new Date(Date.parse(String(to)) - 1).toISOString();
      const days = [lastMoment, text(stretch, 'from')].map((at) => calendarOf(timeZone).format(new Date(at)));
      assert.equal(days[0], days[1], `${agentId}: a stretch is of one day`);
      if (next !== undefined) assert.ok(text(next, 'from') >= String(to), `${agentId}: stretches do not overlap`);
    }
    const isOpen = stretches.at(-1)?.['to'] === undefined;
    const isThere = now !== undefined && now['state'] !== 'logged-out';
    assert.equal(isOpen, isThere, `${agentId}: who is there has an open stretch, who is not has none`);
  }
};

/** What stretches say of an instant: the state of each agent who was there. */
export const statesAt = (rows: readonly Facts[], at: string): Readonly<Record<string, string>> => {
  const covering = [...history(rows).stretchesOf.values()]
    .flat()
    .filter((row) => text(row, 'from') <= at && (row['to'] === undefined || at < String(row['to'])));
  return Object.fromEntries(covering.map((row) => [text(row, 'agentId'), text(row, 'state')]).sort());
};

interface ListedAgent {
  readonly agentId: string;
  readonly state: string;
}

const listed = (row: Facts): readonly ListedAgent[] => {
  const { agents } = row;
  return Array.isArray(agents) ? agents : [];
};

/** Every whole floor that was kept while the feed was live says the same as the timelines. */
export const expectSnapshotsToAgree = (rows: readonly Facts[]): void => {
  const live = history(rows).floors.filter((row) => row['status'] === 'live');
  for (const [at, parts] of Map.groupBy(live, (row) => text(row, 'at'))) {
    const there = parts.flatMap(listed).map(({ agentId, state }): [string, string] => [agentId, state]);
    assert.deepEqual(Object.fromEntries(there.sort()), statesAt(rows, at), `the floor of ${at}`);
  }
};

/** The events that the stream makes. */
export const publishedEvents = async (changes: readonly RowChange[]) => {
  const bus = recordingBus();
  const telemetry = recordingTelemetry();
  await publishChanges({ bus, telemetry, clock: () => new Date() })(changes);
  assert.deepEqual(telemetry.faults, [], 'every row can be told of');
  return bus.sent();
};

interface PublishedState {
  readonly state: string;
  readonly since: string;
  readonly version: number;
}

/** The events of a stream's changes tell one story. */
export const expectConsistentChanges = async (changes: readonly RowChange[]): Promise<void> =>
  expectConsistentEvents(await publishedEvents(changes));

/** What is looked at of an event. */
interface AgentEvent {
  readonly type: string;
  readonly detail: Facts;
}

/** Each agent's events tell one story: every change once, in order, each from where the last one ended. */
export const expectConsistentEvents = (events: readonly AgentEvent[]): void => {
  const ids = events.map(({ detail }) => detail['id']);
  assert.equal(new Set(ids).size, ids.length, 'no event is doubled');

  const told = new Map<string, PublishedState>();
  const toldBefore = new Map<string, PublishedState | undefined>();
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
    // A change of state and details is told by two events of one version.
    const last = told.get(agentId)?.version === version ? toldBefore.get(agentId) : told.get(agentId);
    if (type === 'Agent Logged In') assert.equal(last?.state ?? 'logged-out', 'logged-out', `${agentId} logs in`);
    else {
      assert.equal(previous.state, last?.state, `${agentId} goes on from where it was`);
      assert.equal(version, (last?.version ?? 0) + 1, `${agentId}: no event is missing`);
    }
    const seconds = (Date.parse(current.since) - Date.parse(previous.since)) / 1000;
    if (type === 'Agent State Changed' || type === 'Agent Logged Out')
      assert.equal(secondsInPreviousState, seconds, `${agentId}: an event says how long the state before was`);
    toldBefore.set(agentId, last);
    told.set(agentId, { state: current.state, since: current.since, version });
  }
};
