import * as z from 'zod';
import { endOfSlot, slotOf } from '../../lib/agents/slot.ts';
import { maxRecords } from '../../lib/callback/reply.ts';
import { tableNames } from '../../sandbox/local-aws.ts';
import { example } from '../examples.ts';
import { checkedMetering, createPoller, createReceiver, simulatedAgents } from '../functions.ts';
import type { ThreadedTables } from './threaded-tables.ts';

export interface Work {
  /** Sets up the state that the work begins with; not measured. */
  prepare(): Promise<void>;
  run(): Promise<void>;
}

export type Measured = (name: string, work: Work) => Promise<void>;

export interface Subject {
  readonly name: string;
  readonly counted: string;
  readonly sizes: readonly number[];
  /** Growth counts from this size on: smaller ones are done in another way. */
  readonly base: number;
  visit(size: number, measured: Measured): Promise<void>;
}

const firstPostMs = Date.parse('2040-01-02T06:00:00.000Z');
const secondMs = 1_000;

/** A receiver over tables in memory. Posts content, and checks how many of its records are stored. */
const createPost = ({ dynamodb }: ThreadedTables) => {
  const metering = checkedMetering(dynamodb);
  let nowMs = firstPostMs;
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames);
  return async (content: unknown, stored: number): Promise<void> => {
    // No two deliveries have the same instant.
    nowMs += secondMs;
    await receive(JSON.stringify(content));
    metering.check(`"CallbackRecordsStored":${stored}`);
  };
};

const Callback = z.record(z.string(), z.unknown());

const summary = Callback.parse(JSON.parse(example('call-summary')));

/** The n-th delivery of a call. Each has another comment, so each is a revision. */
const nth = (n: number) => ({ ...summary, monitorUCID: '41781234567890123', Comments: `Called ${n} times` });

/** Stores one more delivery of a call that has some. */
export const deliveries = (tables: ThreadedTables): Subject => {
  const post = createPost(tables);
  const known = new Set<string>();

  const restoreDeliveries = async (count: number): Promise<void> => {
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
    // The first delivery reads nothing.
    base: 2,
    visit: (size, measured) =>
      measured('one more', { prepare: () => restoreDeliveries(size - 1), run: () => post(nth(size), 1) }),
  };
};

/** Longer records would not fit into one post in the largest number. */
const missed = Callback.parse(JSON.parse(example('missed-call')));

const listOf = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    ...missed,
    monitorUCID: `417812345678${String(index).padStart(5, '0')}`,
    CallerID: `0900000${String(index).padStart(4, '0')}`,
  }));

export const records = (tables: ThreadedTables): Subject => {
  const post = createPost(tables);
  return {
    name: 'list',
    counted: 'records of the post',
    sizes: [1, 2, 5, 10, 20, 50, 100, 200, 350, maxRecords],
    base: 1,
    visit(size, measured) {
      const list = listOf(size);
      return measured('all new', { prepare: () => tables.restore('empty'), run: () => post(list, size) });
    },
  };
};

const firstSlotMs = Date.parse('2040-01-02T06:00:00.000Z');

/** After so many polls the feed's row has its usual length. */
const warmUpPolls = 3;

/** Polls of agents. `onWait` is called while a poll waits for the telephony service's answer. */
export const polls = ({ dynamodb, restore }: ThreadedTables, onWait: () => void): Subject => ({
  name: 'poll',
  counted: 'agents',
  sizes: [10, 100, 1_000, 2_000, 5_000, 10_000, 20_000],
  base: 10,
  async visit(size, measured) {
    const metering = checkedMetering(dynamodb);
    const simulated = simulatedAgents(size);
    let nowMs = firstSlotMs;
    let answer = Buffer.from(simulated.answer());

    const nextSlot = async () => {
      nowMs = endOfSlot(slotOf(new Date(nowMs)));
    };
    const newProcess = () =>
      createPoller(metering, {
        userName: 'demo',
        tableName: tableNames.agents,
        clock: () => new Date(nowMs),
        // The text is created while the poll runs, as it is when it arrives from the network.
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

    await measured('first poll', {
      async prepare() {
        await restore('empty');
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
        simulated.change(size / 10);
        answer = Buffer.from(simulated.answer());
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
