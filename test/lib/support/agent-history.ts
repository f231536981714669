import { expect } from 'vitest';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import { publishChanges } from '../../../lib/publish-changes.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import { localDate } from '../../../lib/time/days.ts';
import { recordingBus, recordingTelemetry } from './ports.ts';

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

/** Each agent's stretches follow each other without gap or overlap, in one day each, up to the row that stands now. */
export const expectTimelinesToAddUp = (rows: readonly Facts[], timeZone: string): void => {
  const { agents, stretchesOf } = history(rows);
  for (const [agentId, stretches] of stretchesOf) {
    const now = agents.find((row) => row['agentId'] === agentId);
    for (const [index, stretch] of stretches.entries()) {
      const next = stretches[index + 1];
      const to = stretch['to'];
      if (to === undefined) {
        expect(next, `${agentId}: an open stretch is the last`).toBeUndefined();
        expect(now, `${agentId}: an open stretch is of an agent who is there`).toMatchObject({
          stretchFrom: stretch['from'],
          since: stretch['since'],
          state: stretch['state'],
        });
        continue;
      }
      const seconds = (Date.parse(String(to)) - Date.parse(text(stretch, 'from'))) / 1000;
      expect(seconds, `${agentId}: a stretch has a length`).toBeGreaterThan(0);
      expect(stretch['seconds']).toBe(seconds);
      const lastMoment = new Date(Date.parse(String(to)) - 1).toISOString();
      expect(localDate(lastMoment, timeZone), `${agentId}: a stretch is of one day`).toBe(
        localDate(text(stretch, 'from'), timeZone),
      );
      if (next !== undefined)
        expect(text(next, 'from') >= String(to), `${agentId}: stretches do not overlap`).toBe(true);
    }
    const isOpen = stretches.at(-1)?.['to'] === undefined;
    expect(isOpen, `${agentId}: who is there has an open stretch, who is not has none`).toBe(
      now !== undefined && now['state'] !== 'logged-out',
    );
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
export const expectFloorsToAgree = (rows: readonly Facts[]): void => {
  const live = history(rows).floors.filter((row) => row['status'] === 'live');
  for (const [at, parts] of Map.groupBy(live, (row) => text(row, 'at'))) {
    const there = parts.flatMap(listed).map(({ agentId, state }): [string, string] => [agentId, state]);
    expect(Object.fromEntries(there.sort()), `the floor of ${at}`).toEqual(statesAt(rows, at));
  }
};

/** The events that the stream makes. */
export const eventsIn = async (changes: readonly RowChange[]) => {
  const bus = recordingBus();
  const telemetry = recordingTelemetry();
  await publishChanges({ bus, telemetry, clock: () => new Date() })(changes);
  expect(telemetry.faults).toEqual([]);
  return bus.sent();
};

interface Told {
  readonly state: string;
  readonly since: string;
  readonly version: number;
}

/** Each agent's events tell one story: every change once, in order, each from where the last one ended. */
export const expectEventsToTellTheStory = async (changes: readonly RowChange[]): Promise<void> => {
  const events = await eventsIn(changes);
  const ids = events.map(({ detail }) => detail.id);
  expect(new Set(ids).size, 'no event is doubled').toBe(ids.length);

  const told = new Map<string, Told>();
  const toldBefore = new Map<string, Told | undefined>();
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
    if (type === 'Agent Logged In') expect(last?.state ?? 'logged-out', `${agentId} logs in`).toBe('logged-out');
    else {
      expect(previous.state, `${agentId} goes on from where it was`).toBe(last?.state);
      expect(version, `${agentId}: no event is missing`).toBe((last?.version ?? 0) + 1);
    }
    if (type === 'Agent State Changed' || type === 'Agent Logged Out')
      expect(secondsInPreviousState).toBe((Date.parse(current.since) - Date.parse(previous.since)) / 1000);
    toldBefore.set(agentId, last);
    told.set(agentId, { state: current.state, since: current.since, version });
  }
};
