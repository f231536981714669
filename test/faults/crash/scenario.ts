import type { Facts } from '../../../lib/core/objects.ts';
import { createQueue } from '../../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../../sandbox/queue/queue-reader.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import type { Item } from '../../support/memory-dynamodb/requests.ts';
import { type Reply, visibilityMilliseconds } from '../world/environment.ts';
import type { Fault, ServiceName } from '../world/fault.ts';
import type { LocalWorld } from '../world/local-world.ts';
import type { Centre } from './contact-centre.ts';
import type { createProcesses } from './processes.ts';

/** A piece of the outside world's doings. At its end all is recovered and published. */
export interface Scenario {
  readonly name: string;
  readonly play: (story: ScenarioRun) => Promise<void>;
  /** What posts are answered where nothing goes wrong beyond the scenario. */
  readonly statuses?: readonly number[];
  /** The calls and participants then, each with how many deliveries it has in how many revisions. */
  readonly records?: readonly string[];
  /** How many messages end among the dead letters. */
  readonly deadLetters?: number;
  /** Whether agents are polled. */
  readonly polled?: boolean;
  /** Whether polling takes a token. */
  readonly token?: boolean;
  /** Whether the service is reached over HTTP. */
  readonly http?: boolean;
  /** The time of day at which it begins, as `18:29:00`. */
  readonly beginsAt?: string;
  /** Tried with drawn faults only: it makes too many calls for each of them. */
  readonly drawnOnly?: boolean;
  /** Part of the quick slice. */
  readonly quick?: boolean;
}

/** How slots go by in a story. */
export interface Polling {
  /** So many slots go by, and each has its ticks. */
  readonly poll: (slots?: number) => Promise<void>;
  /** So many slots go by without a tick. */
  readonly idle: (slots: number) => void;
  /** Slots go by until the feed is true for this instant. */
  readonly pollUntilSeen: () => Promise<void>;
  /** The same, and until nobody who has left has a row. */
  readonly pollUntilTidy: () => Promise<void>;
}

const slotMs = 15_000;

/** More than back-offs and faults can explain. */
const mostSlots = 90;

/** Has the poller of a story served with ticks. */
const createPolling = ({ name, world, centre, processes }: Omit<ScenarioParts, 'key'>): Polling => {
  const ticks = createQueue({ name: 'ticks', visibilityMilliseconds, now: () => world.now().getTime() });

  const tick = async (): Promise<void> => {
    ticks.send('tick', {}, 0);
    const messages = ticks.receive(1);
    for (const { receipt = '' } of messages) ticks.remove(receipt);
    const instance = processes.of('poll');
    centre.askedBy(processes.started());
    await instance.poll({ Records: messages.map((message) => sqsRecord('ticks', message)) });
  };
  const nextSlot = (): void => {
    const nowMs = world.now().getTime();
    world.advance((Math.floor(nowMs / slotMs) + 1) * slotMs + 1_000 - nowMs);
  };
  /** A schedule fires twice now and then: the second tick must find the slot taken. */
  const pollSlot = async (): Promise<void> => {
    nextSlot();
    await tick();
    world.advance(1_000);
    await tick();
  };
  const isSeen = ({ asOf = '', poller }: Facts, since: string): boolean => {
    const { inFlight, pendingAt } = Object(poller);
    return String(asOf) >= since && !inFlight && pendingAt === undefined;
  };
  const pollUntil = async (isMeant: (keys: Item) => boolean): Promise<void> => {
    const since = world.now().toISOString();
    for (let slots = 0; slots < mostSlots; slots++) {
      await pollSlot();
      const rows = await world.rows('agents', isMeant);
      const isTidy = !rows.some(({ state }) => state === 'logged-out');
      if (isTidy && rows.some((row) => row['kind'] === 'feed' && isSeen(row, since))) return;
    }
    throw new Error('The floor was never seen again');
  };

  return {
    async poll(slots = 1) {
      for (let slot = 0; slot < slots; slot++) await pollSlot();
    },
    idle: (slots) => world.advance(slots * slotMs),
    pollUntilSeen: () => pollUntil(({ sk }) => sk?.S === 'feed'),
    pollUntilTidy: () => pollUntil(({ pk }) => pk?.S === name),
  };
};

/** Who plays in a story. */
export interface ScenarioParts {
  readonly name: string;
  readonly key: string;
  readonly world: LocalWorld;
  readonly centre: Centre;
  readonly processes: ReturnType<typeof createProcesses>;
}

/** What the outside world does, and does again where no good answer came. */
export interface ScenarioRun extends Polling {
  readonly name: string;
  readonly key: string;
  readonly centre: Centre;
  /** The service posts, once. */
  readonly postOnce: (data: unknown) => Promise<Reply | undefined>;
  /** The service posts until it is answered. */
  readonly post: (data: unknown) => Promise<void>;
  /** While something is done, calls to these services go wrong. */
  readonly during: (trouble: Partial<Record<ServiceName, Fault>>, act: () => Promise<unknown>) => Promise<void>;
  /** A message that nobody of ours sent. */
  readonly sendParked: (body: string) => void;
  /** A row that nobody of ours wrote. */
  readonly put: (table: 'calls', row: Facts) => Promise<void>;
  /** Parked messages are handed out until none is left. */
  readonly recover: () => Promise<void>;
  /** The streams are handed over: so often, or until nothing waits. */
  readonly publish: (times?: number) => Promise<void>;
  readonly restart: () => void;
}

/** What is kept of a story while it goes on. */
export interface Observed {
  readonly statuses: (number | undefined)[];
  readonly strangersKept: number[];
  readonly tries: string[];
  readonly bodies: Set<string>;
  /** The ids of calls of which a summary was acknowledged. */
  readonly acknowledged: Set<string>;
}

const againMs = 60_000;

/** More tries than faults can explain: what has not come to pass by then never will. */
const mostTries = 20;
const batchSize = 100;

/** Tells a story; throws when something never comes to pass. */
export const createScenarioRun = (
  { name, key, world, centre, processes }: ScenarioParts,
  told: Observed,
): ScenarioRun => {
  const noteParked = (): void => {
    for (const { body } of world.parking.messages()) told.bodies.add(body);
  };
  const postOnce = async (data: unknown): Promise<Reply | undefined> => {
    told.tries.push(world.now().toISOString());
    const reply = await world.post(processes.of('receive'), httpApiEvent({ body: formOf(data) }));
    told.statuses.push(reply?.statusCode);
    told.strangersKept.push(Number(Object(JSON.parse(reply?.body ?? '{}')).quarantined ?? 0));
    if (reply?.statusCode === 200) for (const id of callIdsIn(data)) told.acknowledged.add(id);
    noteParked();
    world.advance(1_000);
    return reply;
  };
  return {
    ...{ name, key, centre, postOnce },
    ...createPolling({ name, world, centre, processes }),
    async post(data) {
      for (let tries = 0; tries < mostTries; tries++) {
        const reply = await postOnce(data);
        if (reply !== undefined && reply.statusCode < 500) return;
        world.advance(againMs);
      }
      throw new Error('A post was never answered');
    },
    async during(trouble, act) {
      processes.trouble(trouble);
      await act();
      processes.trouble({});
    },
    sendParked: (body) => void world.parking.send(body, {}, 0),
    put: (table, row) => world.put(table, row),
    async recover() {
      for (let tries = 0; world.parking.messages().length > 0; tries++) {
        if (tries > mostTries) throw new Error('A parked message was neither recovered nor given up');
        await world.recover(processes.of('recover'));
        world.advance(visibilityMilliseconds);
      }
    },
    async publish(times = mostTries) {
      await world.caughtUp();
      for (let tries = 0; world.streams.waiting().length > 0 && tries < times; tries++) {
        for (const lane of world.streams.waiting())
          await world.streams.deliver(lane, batchSize, (event) => processes.of('publish').publish(event));
        world.advance(1_000);
      }
      if (times === mostTries && world.streams.waiting().length > 0) throw new Error('A change was never published');
    },
    restart: processes.restart,
  };
};

const callIdsIn = (data: unknown): readonly string[] =>
  [data].flat().flatMap((record) => Object(record).monitorUCID ?? Object(record).UCID ?? []);
