import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import { readEnv } from '../../functions/adapters/env.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import { composePublisher } from '../../functions/publish-changes/app.ts';
import { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { batches } from '../../lib/core/collections.ts';
import { parseJson } from '../../lib/core/json.ts';
import { agentsTable, callsTable, quarantineTable } from '../../lib/storage/tables.ts';
import { lambdaContext } from '../../sandbox/functions.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { callNumbered, createPoller, createReceiver, example, justEnded, simulatedAgents } from '../functions.ts';
import {
  type Counts,
  commandMeter,
  difference,
  type RowWrite,
  reportedUnits,
  storedBytes,
  streamRecords,
  sum,
} from '../meter.ts';
import { type Deployed, readDeployed } from './deployed.ts';

interface EmptyTables {
  readonly endpoint: string;
  readonly tableNames: { readonly calls: string; readonly agents: string; readonly quarantine: string };
}

/** Far ahead, since DynamoDB Local removes rows that have expired by the clock of the machine. */
const startMs = Date.parse('2040-01-02T06:00:00.000Z');

type Emitted = Pick<Deployed, 'deployment' | 'subscription'>;

/** A client of DynamoDB Local, and everything that the functions consume while they use it. */
const startMeter = ({ endpoint, tableNames }: EmptyTables, now: () => Date, { deployment }: Emitted) => {
  const parts: Partial<Counts>[] = [];
  const changed: RowWrite[] = [];
  const problems: string[] = [];
  const client = new DynamoDBClient(localClient(endpoint));
  const meter = commandMeter({
    [tableNames.calls]: callsTable,
    [tableNames.agents]: agentsTable,
    [tableNames.quarantine]: quarantineTable,
  });

  client.middlewareStack.add(
    (next) => async (args) => {
      const command = meter(args.input);
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' });
      const result = await next(args).catch((error: unknown) => {
        parts.push({ dynamodbCalls: 1 }, command.rejectedUnits);
        throw error;
      });
      try {
        parts.push({ dynamodbCalls: 1 }, command.done(reportedUnits(result.output)));
      } catch (error) {
        problems.push(String(error));
      }
      parts.push(...command.writes.map((write) => storedBytes(write, now())));
      changed.push(...command.writes);
      return result;
    },
    { step: 'initialize', name: 'meter' },
  );

  const write = (line: string): void => {
    if (line.includes('"level":"error"')) problems.push(line);
    parts.push({ logBytes: Buffer.byteLength(line.trimEnd()) });
  };
  return {
    client,
    telemetry: (name: FunctionName) => jsonTelemetry({ function: name, deployment }, write),
    add: (counts: Partial<Counts>) => void parts.push(counts),
    /** The rows that were changed since the last time, in order. */
    changes: (): readonly RowWrite[] => changed.splice(0),
    /** What was consumed since the last time. Throws if something failed, since then the work was not the usual one. */
    take(): Counts {
      if (problems.length > 0) throw new Error(`The counted work failed:\n${problems.join('\n')}`);
      return sum(...parts.splice(0).map((part) => [1, part] as const));
    },
  };
};
type Meter = ReturnType<typeof startMeter>;

const Input = z.object({ Entries: z.array(z.custom<PutEventsRequestEntry>()) });
const anyId = '00000000-0000-0000-0000-000000000000';

/** An entry counts with 14 bytes for its time. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const countsOf = ({ Source = '', DetailType = '', Detail = '', Time }: PutEventsRequestEntry): Partial<Counts> => {
  /** The event as an archive stores it, and as a subscriber gets it. */
  const envelope = {
    ...{ version: '0', id: anyId, 'detail-type': DetailType, source: Source, account: '000000000000' },
    ...{ time: Time?.toISOString(), region: 'us-east-1', resources: [], detail: {} },
  };
  return {
    events: 1,
    eventChunks: Math.ceil((14 + Buffer.byteLength(Source + DetailType + Detail)) / (64 * 1024)),
    eventBytes: Buffer.byteLength(JSON.stringify(envelope) + Detail) - '{}'.length,
  };
};

/** A client of EventBridge that sends nothing. It counts each event, and answers that all were accepted. */
const countedBus = (add: Meter['add']): EventBridgeClient => {
  const client = new EventBridgeClient(localClient('http://bus.invalid'));
  client.middlewareStack.add(
    () => async (args) => {
      const { Entries } = Input.parse(args.input);
      add({ busCalls: 1 });
      for (const entry of Entries) add(countsOf(entry));
      return { response: undefined, output: { $metadata: {}, Entries: Entries.map(() => ({ EventId: anyId })) } };
    },
    { step: 'initialize', name: 'count' },
  );
  return client;
};

/** The publisher. It gets the changes that the meter recorded, as the streams of the tables would deliver them. */
const createPublisher = (meter: Meter, clock: () => Date, { subscription }: Emitted) => {
  const { batchSize, parallelizationFactor } = subscription;
  const handler = composePublisher({
    env: readEnv(publishChangesEnv, { BUS_NAME: 'callfeed', AGENTS_TABLE: 'agents' }),
    clock,
    telemetry: meter.telemetry('publish-changes'),
    eventbridge: countedBus(meter.add),
    // A write a minute belongs to no single call: the month has it.
    dynamodb: { send: async () => ({}) } as never,
  });

  return async (): Promise<void> => {
    const records = streamRecords(meter.changes());
    // The rows of one piece of work are spread over all parallel batches: that makes the most runs.
    const parallel = Map.groupBy(records, (record) => records.indexOf(record) % parallelizationFactor);
    for (const some of parallel.values())
      for (const batch of batches(some, ({ length }) => length < batchSize)) {
        meter.add({ publisherRuns: 1 });
        await handler({ Records: [...batch] }, lambdaContext('publish-changes', 60_000));
      }
  };
};

/** Polls of some agents: at each, as many of them have changed as `changes` says. */
export interface PollScenario {
  readonly agents: number;
  readonly changes: readonly number[];
}

/** Work of the functions over tables and a bus that count, at a time that only the work moves. */
const startCounting = (tables: EmptyTables, emitted: Emitted) => {
  let nowMs = startMs;
  const clock = () => new Date(nowMs);
  const meter = startMeter(tables, clock, emitted);
  const publish = createPublisher(meter, clock, emitted);
  return {
    ...{ tableNames: tables.tableNames, meter, clock },
    goToNextSlot() {
      nowMs = endOfSlot(slotOf(clock()));
    },
    /** What a piece of work takes, with the publishing of its changes. */
    async counted(work: Promise<void>): Promise<Counts> {
      await work;
      await publish();
      return meter.take();
    },
  };
};
type Counting = ReturnType<typeof startCounting>;

/** What each kind of callback takes, and a posted list if there is one. */
const countCallbacks = async ({ meter, clock, tableNames, counted }: Counting, list: string | undefined) => {
  const receive = createReceiver(meter, clock, tableNames);
  const post = (data: string) => counted(receive(justEnded(data, clock())));
  const summary = example('call-summary');
  const [first, repeat, revision] = [await post(summary), await post(summary), await post(example('with-disposition'))];
  const both = parseJson(example('advanced-callback'));
  if (!both.ok || !Array.isArray(both.value)) throw new Error('The advanced callback is not a list any more');
  const call = JSON.stringify(both.value.slice(0, 1));
  const [transferred, again] = [await post(call), await post(call)];
  // What a participant adds to the callback of its call.
  const participant = difference(await post(JSON.stringify(both.value)), again);
  // A new call that is recorded long after its start.
  const late = await counted(receive(callNumbered(999_999_999)));
  const calls = { first, late, repeat, revision, transferred, participant };
  return { calls, posted: list === undefined ? undefined : await post(list) };
};

/** What polls of an account by two processes take: what the one has written, the other's memory lacks. */
const countPolls = async (counting: Counting, { agents, changes }: PollScenario) => {
  const { meter, clock, tableNames, counted } = counting;
  const { answer, change } = simulatedAgents(agents);
  const settings = { userName: `account-${agents}`, tableName: tableNames.agents, answer, clock };
  const processes = [createPoller(meter, settings), createPoller(meter, settings)] as const;
  const poll = (process: 0 | 1) => {
    counting.goToNextSlot();
    return counted(processes[process]());
  };
  // All agents log in, the feed's row gets its usual length, and the second process reads the agents.
  for (const process of [0, 0, 0, 0, 1, 0] as const) await poll(process);

  const unchanged = await poll(0);
  // A second tick in a slot that was already polled.
  const taken = await counted(processes[1]());
  const changed = new Map<number, Counts>();
  for (const count of changes) {
    change(count);
    changed.set(count, await poll(0));
  }
  await poll(1);
  await poll(0);
  return { agents, unchanged, taken, changed, byAnother: await poll(1) };
};

/** Runs the functions on each kind of work, and counts. `onProgress` is called with the current activity. */
export const countAll = async (
  tables: EmptyTables,
  emitted: Emitted,
  scenarios: readonly PollScenario[],
  { list, onProgress = () => undefined }: { readonly list?: string; readonly onProgress?: (what: string) => void } = {},
) => {
  const counting = startCounting(tables, emitted);
  try {
    onProgress('counting callbacks');
    const ofCallbacks = await countCallbacks(counting, list);
    const polls: Awaited<ReturnType<typeof countPolls>>[] = [];
    for (const scenario of scenarios) {
      onProgress(`counting polls of ${scenario.agents} agents`);
      polls.push(await countPolls(counting, scenario));
    }
    return { ...ofCallbacks, polls };
  } finally {
    counting.meter.client.destroy();
  }
};

/** What was counted: of the kinds of callbacks, of a posted list, and of polls from the fewest agents to the most. */
export type Counted = Awaited<ReturnType<typeof countAll>>;

export const countDeployed = async (
  tables: EmptyTables,
  scenarios: readonly PollScenario[],
  onProgress: (what: string) => void = () => undefined,
) => {
  onProgress('reading the stack');
  const deployed = readDeployed();
  return { deployed, ...(await countAll(tables, deployed, scenarios, { onProgress })) };
};
