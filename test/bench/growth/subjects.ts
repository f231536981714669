import * as z from 'zod';
import { endOfSlot, slotOf } from '../../../lib/agents/rate-limit.ts';
import { maxRecords } from '../../../lib/callback/rejections.ts';
import { tableNames } from '../../../sandbox/local-aws.ts';
import { checkedMetering } from '../costs/meter.ts';
import { createReceiver } from '../costs/metered-functions.ts';
import { createPoller, simulatedAgents } from '../costs/poller.ts';
import { example } from '../examples.ts';
import type { ThreadedTables } from './threaded-tables.ts';

/** Work that can be done again and again. */
export interface Work {
  /** Brings everything to where the work begins; not measured. */
  prepare(): Promise<void>;
  run(): Promise<void>;
}

/** Measures a piece of work by its name. */
export type Measured = (name: string, work: Work) => Promise<void>;

/** What grows, and what is to be done at each size. */
export interface Subject {
  readonly name: string;
  /** What its size counts. */
  readonly counted: string;
  /** From small to large. */
  readonly sizes: readonly number[];
  /** The size from which on growth is looked at, as smaller ones are done in another way. */
  readonly base: number;
  visit(size: number, measured: Measured): Promise<void>;
}

const firstPostMs = Date.parse('2040-01-02T06:00:00.000Z');
const secondMs = 1_000;

/** A receiver over the stand-in's tables. Posts content, and holds that so many records of it are stored. */
const createPost = ({ dynamodb }: ThreadedTables) => {
  const metering = checkedMetering(dynamodb);
  let nowMs = firstPostMs;
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames);
  return async (content: unknown, stored: number): Promise<void> => {
    // No two deliveries come in the same moment.
    nowMs += secondMs;
    await receive(JSON.stringify(content));
    metering.check(`"CallbackRecordsStored":${stored}`);
  };
};

const Callback = z.record(z.string(), z.unknown());

const summary = Callback.parse(JSON.parse(example('call-summary')));

/** The n-th delivery of a call. Each says something else and is taken at its word, so that each is a revision. */
const nth = (n: number) => ({ ...summary, monitorUCID: '41781234567890123', Comments: `Called ${n} times` });

/** Storing one delivery more of a call that has some. */
export const deliveries = (tables: ThreadedTables): Subject => {
  const post = createPost(tables);
  const known = new Set<string>();

  const bringBack = async (count: number): Promise<void> => {
    const name = `${count} deliveries`;
    await tables.restore(name);
    if (known.has(name)) return;
    for (let n = 1; n <= count; n++) await post(nth(n), 1);
    await tables.save(name);
    known.add(name);
  };

  return {
    name: 'delivery',
    counted: 'deliveries of the call, the new one included',
    sizes: [1, 2, 5, 10, 20, 50, 100, 150, 200],
    // The first one has nothing to read.
    base: 2,
    visit: (size, measured) =>
      measured('one more', { prepare: () => bringBack(size - 1), run: () => post(nth(size), 1) }),
  };
};

/** Of longer ones not as many records as may be would fit into one post. */
const missed = Callback.parse(JSON.parse(example('missed-call')));

const listOf = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    ...missed,
    monitorUCID: `417812345678${String(index).padStart(5, '0')}`,
    CallerID: `0900000${String(index).padStart(4, '0')}`,
  }));

/** Callbacks that are lists of calls nobody has heard of. */
export const records = (tables: ThreadedTables): Subject => {
  const post = createPost(tables);
  return {
    name: 'list',
    counted: 'records of the post',
    sizes: [1, 2, 5, 10, 20, 50, 100, 200, 350, maxRecords],
    base: 1,
    visit(size, measured) {
      const list = listOf(size);
      return measured('all new', { prepare: () => tables.restore('nothing'), run: () => post(list, size) });
    },
  };
};

const firstSlotMs = Date.parse('2040-01-02T06:00:00.000Z');

/** Polls by which the feed's row gets as long as it is on any day. */
const warmUpPolls = 3;

/** Polls of floors. `onWait` is called while a poll waits for the telephony service's answer. */
export const polls = ({ dynamodb, restore }: ThreadedTables, onWait: () => void): Subject => ({
  name: 'poll',
  counted: 'agents',
  sizes: [10, 100, 1_000, 2_000, 5_000, 10_000, 20_000],
  base: 10,
  async visit(size, measured) {
    const metering = checkedMetering(dynamodb);
    const floor = simulatedAgents(size);
    let nowMs = firstSlotMs;
    let answer = Buffer.from(floor.answer());

    const nextSlot = async () => {
      nowMs = endOfSlot(slotOf(new Date(nowMs)));
    };
    const newProcess = () =>
      createPoller(metering, {
        userName: 'demo',
        tableName: tableNames.agents,
        clock: () => new Date(nowMs),
        // The text comes into being while the poll runs, as it does where it comes from the network.
        answer: () => {
          onWait();
          return answer.toString();
        },
      });
    let process = newProcess();
    const poll = async () => {
      await process();
      metering.check('"PollsSucceeded":1');
    };

    await measured('first floor', {
      async prepare() {
        await restore('nothing');
        await nextSlot();
        process = newProcess();
      },
      run: poll,
    });
    for (let index = 0; index < warmUpPolls; index++) await nextSlot().then(poll);
    await measured('unchanged', { prepare: nextSlot, run: poll });
    await measured('10 % changed', {
      async prepare() {
        await nextSlot();
        floor.change(size / 10);
        answer = Buffer.from(floor.answer());
      },
      run: poll,
    });
    await measured('unchanged, new process', {
      async prepare() {
        await nextSlot();
        process = newProcess();
      },
      run: poll,
    });
  },
});
