import { createCallfeedClient, type DayRecords } from '../../client/index.ts';
import { createViews, openDuckDb, writeParquet } from '../../functions/transform-events/duckdb.ts';
import type { SqlFile } from '../../functions/transform-events/sql-files.ts';
import { historyRowOf } from '../../functions/transform-events/tables.ts';
import type { DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { seededRandom, shuffled } from '../../sandbox/simulator/random.ts';
import { simulatedCentre } from '../fixtures/simulated-centre.ts';
import { awsClients } from '../support/aws-clients.ts';
import { callEventOf } from '../support/posted-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A day that is simulated, from its midnight in the account's zone. */
export const simulatedDate = '2026-11-21';

/** The days in UTC that it touches. */
export const period = { from: '2026-11-20', to: '2026-11-21' } as const;

/** How many hours from midnight on, and how many agents and milliseconds between two calls. */
export interface Size {
  readonly hours: number;
  readonly agents: number;
  readonly gapMs: number;
}

/** What came of a simulated day: its events as Parquet, and the day as `callfeed day` reads it. */
export interface SimulatedDay {
  readonly folder: string;
  readonly events: readonly DeliveredEvent[];
  readonly day: DayRecords;
}

/**
 * Simulates a day with the deployed functions: repeats, revisions, late and poorer callbacks, interruptions of the polls. Its
 * events are written in any order, some of them twice, and those of calls up to the middle once more, as a replay makes them.
 * Agents note numbers as dispositions, which the simulator's do not.
 */
export const simulateDay = async ({ hours, ...size }: Size): Promise<SimulatedDay> => {
  const { world, slots, close } = simulatedCentre({ seed: 31, ...size });
  const published: DeliveredEvent[] = [];
  const replayed: unknown[] = [];
  for await (const sinceMs of slots(hours)) {
    published.push(...world.takeEvents());
    if (sinceMs !== (hours / 2) * 3_600_000) continue;
    for (const row of world.rows('calls')) {
      const event = callEventOf({
        sequence: '',
        before: row,
        after: { ...row, replayedAt: world.now().toISOString() },
      });
      if (event !== undefined) replayed.push({ 'detail-type': event.type, detail: event.detail });
    }
  }

  await close();
  published.push(...world.takeEvents());
  const events = published.map((event, index) => (index % 5 === 0 ? withNumberAsDisposition(event) : event));

  const random = seededRandom(7);
  const repeated = events.filter((_, index) => index % 7 === 0);
  const folder = temporaryFolder('analytics').path;
  await writeEvents(folder, shuffled(random, [...events, ...repeated, ...replayed]));
  return { folder, events, day: await readDay(world) };
};

/** The event of a call whose agent noted the customer's number among the dispositions; another event as it is. */
const withNumberAsDisposition = ({ detail, ...event }: DeliveredEvent): DeliveredEvent => {
  const { customerNumber, ...call } = Object(detail['call']);
  if (customerNumber === undefined) return { ...event, detail };
  const dispositions = [customerNumber, `Ring ${customerNumber} at 6`];
  return { ...event, detail: { ...detail, call: { ...call, customerNumber, dispositions } } };
};

/** Writes the rows of events in several files. */
export const writeEvents = async (folder: string, events: readonly unknown[], files = 3): Promise<void> => {
  const rows = events.flatMap((event) => {
    const read = historyRowOf(event);
    if (!read.ok) throw new Error(read.problem);
    return read.value ?? [];
  });
  const connection = await openDuckDb();
  const size = Math.ceil(rows.length / files);
  for (let from = 0; from < rows.length; from += size)
    await writeParquet(connection, folder, rows.slice(from, from + size));
  connection.closeSync();
};

/** The day as `callfeed day` reads it. */
const readDay = (world: ReturnType<typeof simulatedCentre>['world']): Promise<DayRecords> => {
  const { dynamodb } = awsClients((name) => world.services[name]);
  const tables = { calls: 'calls', agents: 'agents' };
  const client = createCallfeedClient({ dynamodb, tables, account: 'demo', clock: () => world.now() });
  return client.day(simulatedDate, 'Asia/Kolkata');
};

/** Asks the views over a folder: ours, or others in their place. */
export const askViews = async (folder: string, views?: readonly SqlFile[]) => {
  const connection = await openDuckDb();
  await createViews(connection, folder, views);
  return {
    read: (sql: string) => connection.runAndReadAll(sql),
    ask: async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
    close: () => connection.closeSync(),
  };
};
export type Asking = Awaited<ReturnType<typeof askViews>>;

/** When a call without times was received. */
export const occurredAt = '2026-11-20T18:00:00.000Z';

/** The event of a call's revision. `more` replaces fields of its detail. */
export const callEvent = (callId: string, revision: number, call: object, more: object = {}) => ({
  'detail-type': revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised',
  detail: {
    schemaVersion: 1,
    id: `${callId}-${revision}`,
    account: 'demo',
    callId,
    revision,
    call,
    occurredAt,
    recordedAt: occurredAt,
    ...(revision > 1 && { changedFields: ['status'] }),
    ...more,
  },
});

/** The event that ends an agent's time in a state. */
export const intervalEvent = (agentId: string, state: string, since: string, at: string, account = 'demo') => ({
  'detail-type': 'Agent State Changed',
  detail: {
    schemaVersion: 1,
    id: `${account} ${agentId} ${since}`,
    account,
    agentId,
    version: 2,
    occurredAt: at,
    recordedAt: at,
    previous: { agentId, state, since, loggedInSince: since },
    secondsInPreviousState: (Date.parse(at) - Date.parse(since)) / 1_000,
    current: { agentId, state: 'pause', since: at, loggedInSince: since },
  },
});

/** Asks the views over the rows of some events. */
export const within = async <Result>(
  events: readonly object[],
  use: (asking: Asking, folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = temporaryFolder('views');
  await writeEvents(folder.path, events, 2);
  const asking = await askViews(folder.path);
  try {
    return await use(asking, folder.path);
  } finally {
    asking.close();
    folder.remove();
  }
};
