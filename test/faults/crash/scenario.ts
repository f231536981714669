import type { Row } from '../../../lib/storage/rows.ts';
import type { Fault, ServiceName } from '../../deployment/functions.ts';
import type { Item } from '../../deployment/memory-dynamodb.ts';
import { createLocalWorld, type LocalWorld, type Reply, visibilityMilliseconds } from '../../deployment/world.ts';
import { startLocalTables } from '../../support/dynamodb-local.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { type Centre, createCentre, createProcesses, type Plan } from './processes.ts';

/** What the outside world does. At the end everything is recovered and published. */
export interface Scenario {
  readonly name: string;
  readonly play: (run: ScenarioRun) => Promise<void>;
  /** The statuses of the posts without a fault. */
  readonly statuses?: readonly number[];
  /** The calls and participants without a fault, each with the numbers of its deliveries and revisions. */
  readonly records?: readonly string[];
  readonly deadLetters?: number;
  readonly polled?: boolean;
  readonly token?: boolean;
  /** The time of day at the start, such as `18:29:00`. */
  readonly beginsAt?: string;
  /** Tried with random faults only: it makes too many calls to try each of them. */
  readonly drawnOnly?: boolean;
  /** Also tried with faults in the quick size, that of `npm test`. Every size plays every scenario without one. */
  readonly quick?: boolean;
}

const slotMs = 15_000;

/** Back-offs and faults cannot take longer than this. */
const maxSlots = 90;

/** How time passes in a run, in slots of polling. */
const createPolling = ({ name, world, centre, processes }: Omit<ScenarioParts, 'key'>) => {
  const tick = async (): Promise<void> => {
    const instance = processes.of('poll');
    centre.requestsFrom(processes.started());
    await world.tick(instance);
  };
  const nextSlot = (): void => {
    const nowMs = world.now().getTime();
    world.advance((Math.floor(nowMs / slotMs) + 1) * slotMs + 1_000 - nowMs);
  };
  /** A schedule sometimes fires twice: the second tick must find the slot taken. */
  const pollSlot = async (): Promise<void> => {
    nextSlot();
    await tick();
    world.advance(1_000);
    await tick();
  };
  const isSeen = ({ asOf = '', poller }: Row, since: string): boolean => {
    const { inFlight, pendingAt } = Object(poller);
    return String(asOf) >= since && !inFlight && pendingAt === undefined;
  };
  const pollUntil = async (includes: (keys: Item) => boolean): Promise<void> => {
    const since = world.now().toISOString();
    for (let slots = 0; slots < maxSlots; slots++) {
      await pollSlot();
      const rows = await world.rows('agents', includes);
      const isTidy = !rows.some(({ state }) => state === 'logged-out');
      if (isTidy && rows.some((row) => row['kind'] === 'feed' && isSeen(row, since))) return;
    }
    throw new Error('The poller never caught up with the contact centre');
  };

  return {
    /** So many slots pass with their ticks. */
    async poll(slots: number = 1) {
      for (let slot = 0; slot < slots; slot++) await pollSlot();
    },
    /** So many slots pass without a tick. */
    idle: (slots: number) => world.advance(slots * slotMs),
    /** Slots pass until the feed has a poll of this instant or later. */
    pollUntilSeen: () => pollUntil(({ sk }) => sk?.S === 'feed'),
    /** The same, until agents who logged out have no row any more. */
    pollUntilTidy: () => pollUntil(({ pk }) => pk?.S === name),
  };
};

interface ScenarioParts {
  readonly name: string;
  readonly key: string;
  readonly world: LocalWorld;
  readonly centre: Centre;
  readonly processes: ReturnType<typeof createProcesses>;
}

interface Observed {
  /** The status of each reply; undefined if there was none. */
  readonly statuses: (number | undefined)[];
  /** How many bodies each reply counts as quarantined. */
  readonly quarantined: number[];
  readonly tries: string[];
  readonly bodies: Set<string>;
  readonly acknowledged: Set<string>;
}

const retryMs = 60_000;

/** Faults cannot explain more tries than this. */
const maxTries = 20;
const batchSize = 100;

/** What the outside world can do. It tries again after a missing or bad answer. */
const createScenarioRun = ({ name, key, world, centre, processes }: ScenarioParts, observed: Observed) => {
  const noteParked = (): void => {
    for (const { body } of world.parking.messages()) observed.bodies.add(body);
  };
  const postOnce = async (data: unknown): Promise<Reply | undefined> => {
    observed.tries.push(world.now().toISOString());
    const reply = await world.post(processes.of('receive'), httpApiEvent({ body: formOf(data) }));
    observed.statuses.push(reply?.statusCode);
    observed.quarantined.push(Number(Object(JSON.parse(reply?.body ?? '{}')).quarantined ?? 0));
    if (reply?.statusCode === 200) for (const id of callIdsIn(data)) observed.acknowledged.add(id);
    noteParked();
    world.advance(1_000);
    return reply;
  };
  return {
    name,
    key,
    centre,
    postOnce,
    ...createPolling({ name, world, centre, processes }),
    /** The service posts until it gets an answer below 500. */
    async post(data: unknown) {
      for (let tries = 0; tries < maxTries; tries++) {
        const reply = await postOnce(data);
        if (reply !== undefined && reply.statusCode < 500) return;
        world.advance(retryMs);
      }
      throw new Error('A post was never answered');
    },
    /** While `act` runs, calls to these services have these faults. */
    async during(outage: Partial<Record<ServiceName, Fault>>, act: () => Promise<unknown>) {
      processes.setOutage(outage);
      await act();
      processes.setOutage({});
    },
    sendParked: (body: string) => void world.parking.send(body, {}, 0),
    put: (table: 'calls', row: Row) => world.put(table, row),
    /** Delivers parked messages until none is left. */
    async recover() {
      for (let tries = 0; world.parking.messages().length > 0; tries++) {
        if (tries > maxTries) throw new Error('A parked message neither was recovered nor became a dead letter');
        await world.recover(processes.of('recover'));
        world.advance(visibilityMilliseconds);
      }
    },
    /** Delivers the streams’ records so often, or until none is waiting. */
    async publish(times = maxTries) {
      await world.caughtUp();
      for (let tries = 0; world.streams.waiting().length > 0 && tries < times; tries++) {
        for (const shard of world.streams.waiting())
          await world.streams.deliver(shard, batchSize, (event) => processes.of('publish').publish(event));
        world.advance(1_000);
      }
      if (times === maxTries && world.streams.waiting().length > 0) throw new Error('A change was never published');
    },
    restart: processes.restart,
  };
};

export type ScenarioRun = ReturnType<typeof createScenarioRun>;

const callIdsIn = (data: unknown): readonly string[] =>
  [data].flat().flatMap((record) => Object(record).monitorUCID ?? Object(record).UCID ?? []);

const dayMs = 86_400_000;

/** Each run has a day of its own. */
const startOf = (number: number, { beginsAt = '06:00:00' }: Scenario): string =>
  `${new Date(Date.UTC(2027, 0, 1) + number * dayMs).toISOString().slice(0, 10)}T${beginsAt}.000Z`;

/** Plays a scenario with these faults to its end. Throws if an invocation throws, or something expected never happens. */
export const runScenario = async (testBed: TestBed, scenario: Scenario, plan: Plan) => {
  const number = testBed.next();
  const name = `crash-${String(number).padStart(6, '0')}`;
  const key = `secret-key-of-${name}`;
  const startedAt = startOf(number, scenario);
  const centre = createCentre(() => world.now(), key, scenario.token === true);
  const leaks: string[] = [];
  const checkForKey = (where: string, text: string): void => {
    if (text.includes(key)) leaks.push(`${where}: ${text.slice(0, 500)}`);
  };
  const account = {
    userName: name,
    apiKeys: [key],
    timeZone: 'Asia/Kolkata',
    ...(scenario.polled && { baseUrl: `https://${name}.invalid` }),
    token: { kind: scenario.token ? 'generate' : 'none' },
  };
  const world = createLocalWorld(testBed.tables, {
    name,
    startedAt,
    accounts: [account],
    telephony: centre.service,
    onLine: (line) => checkForKey('a log line', line),
  });
  const processes = createProcesses(world, plan, centre);
  const observed: Observed = { statuses: [], quarantined: [], tries: [], bodies: new Set(), acknowledged: new Set() };
  const run = createScenarioRun({ name, key, world, centre, processes }, observed);

  try {
    await scenario.play(run);
    await run.recover();
    await run.publish();
    const rows = {
      calls: await world.rows('calls'),
      quarantine: await world.rows('quarantine'),
      agents: await world.rows('agents'),
    };
    for (const [table, all] of Object.entries(rows)) checkForKey(`a row of ${table}`, JSON.stringify(all));
    checkForKey('an event', JSON.stringify(world.events()));
    for (const body of observed.bodies) checkForKey('a message', body);
    return {
      name,
      rows,
      leaks,
      events: world.events(),
      changes: world.changes(),
      parked: world.parking.messages().map(({ body }) => body),
      deadLetters: world.deadLetters.messages().map(({ body }) => body),
      ...observed,
      loggedIn: centre.agents(),
      offences: centre.offences(),
      repeatsExplained: processes.repeatsExplained(),
      calls: processes.calls(),
    };
  } finally {
    world.close();
  }
};

export type FinalState = Awaited<ReturnType<typeof runScenario>>;

/** Uses the DynamoDB Local at an address, or starts one. */
export const createTestBed = async (endpoint?: string) => {
  const tables = await startLocalTables(endpoint);
  let count = 0;
  return {
    tables,
    /** A number for a run, from which its name and its day follow. */
    next: () => count++,
    close: tables.stop,
  };
};

/** What all runs share. */
export type TestBed = Awaited<ReturnType<typeof createTestBed>>;
