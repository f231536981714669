import type { Facts } from '../../lib/record/delivery.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import type { Fate, ServiceName } from '../world/fate.ts';
import type { LocalWorld } from '../world/local-world.ts';
import { type Reply, visibilityMilliseconds } from '../world/surround.ts';
import type { Centre } from './centre.ts';
import { createPolling, type Polling } from './polling.ts';
import type { createProcesses } from './processes.ts';

/** Who plays in a story. */
export interface Cast {
  readonly name: string;
  readonly key: string;
  readonly world: LocalWorld;
  readonly centre: Centre;
  readonly processes: ReturnType<typeof createProcesses>;
}

/** What the outside world does, and does again where no good answer came. */
export interface Story extends Polling {
  readonly name: string;
  readonly key: string;
  readonly centre: Centre;
  /** The service posts, once. */
  readonly postOnce: (data: unknown) => Promise<Reply | undefined>;
  /** The service posts until it is answered. */
  readonly post: (data: unknown) => Promise<void>;
  /** While something is done, calls to these services go wrong. */
  readonly during: (trouble: Partial<Record<ServiceName, Fate>>, act: () => Promise<unknown>) => Promise<void>;
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
export interface Told {
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
export const createStory = ({ name, key, world, centre, processes }: Cast, told: Told): Story => {
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
