import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { marshalled, unmarshalled } from '../../../functions/adapters/marshalling.ts';
import { feedKey } from '../../../lib/agents/agent-rows.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import type { FollowedEvents } from '../sandbox/follow-events.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import { percentile } from '../statistics.ts';

/** Where the values of a sample come from. */
export interface SamplerOptions {
  readonly child: Pick<SandboxChild, 'addresses' | 'pids'>;
  readonly inspector: Pick<Inspector, 'held'>;
  readonly followed: Pick<FollowedEvents, 'lags'>;
  /** The latencies since this was asked last, in milliseconds. */
  readonly latencies: () => readonly number[];
}

const bytesPerMegabyte = 1024 * 1024;

/** How many files and sockets a process has open; 0 where there is no /proc. */
const openFiles = (pid: number): Promise<number> =>
  readdir(`/proc/${pid}/fd`).then(
    ({ length }) => length,
    () => 0,
  );

const pictureAge = async (client: DynamoDBClient, account: string): Promise<number | undefined> => {
  const Key = marshalled({ ...feedKey(account) });
  const { Item } = await client.send(new GetItemCommand({ TableName: tableNames.agents, Key, ConsistentRead: true }));
  const asOf = Item && unmarshalled(Item)['asOf'];
  return typeof asOf === 'string' ? (Date.now() - Date.parse(asOf)) / 1_000 : undefined;
};

/** Takes samples of a sandbox; what has no value since the last sample keeps the one it had. */
export const sampler = ({ child, inspector, followed, latencies }: SamplerOptions) => {
  const client = new DynamoDBClient(localClient(child.addresses.dynamodb));
  const startedAt = performance.now();
  let last = { reply: 0, lag: 0 };
  const middle = (numbers: readonly number[], before: number): number =>
    numbers.length === 0 ? before : percentile(numbers, 0.5);

  return {
    async take(): Promise<Sample> {
      const pollAge = await pictureAge(client, 'demo');
      last = { reply: middle(latencies(), last.reply), lag: middle(followed.lags(), last.lag) };
      const { liveBytes, rssBytes, resources } = await inspector.held();
      const timers = resources.filter((name) => name === 'Timeout').length;

      return {
        at: (performance.now() - startedAt) / 1_000,
        heap: liveBytes / bytesPerMegabyte,
        rss: rssBytes / bytesPerMegabyte,
        timers,
        resources: resources.length - timers,
        files: await openFiles(child.pids.sandbox),
        ...last,
        pollAge,
      };
    },
    close: () => client.destroy(),
  };
};

const Answer = z.object({ id: z.number(), result: z.unknown().optional() });
const HeapUsage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });
const Inside = z.object({ rss: z.number(), resources: z.array(z.string()) });

/** What a process of Node's holds, as it says itself. */
export interface Held {
  /** What is left of the heap, and of buffers beside it, when all garbage has been collected. */
  readonly liveBytes: number;
  readonly rssBytes: number;
  /** What keeps it running, each by its kind: timers, sockets, servers. */
  readonly resources: readonly string[];
}

/** A connection to the inspector of a process. */
export interface Inspector {
  readonly held: () => Promise<Held>;
  readonly close: () => void;
}

const question = 'JSON.stringify({ rss: process.memoryUsage.rss(), resources: process.getActiveResourcesInfo() })';

/** Connects to a process that listens with `--inspect`; `address` is the one that it prints. */
export const inspectorAt = async (address: string): Promise<Inspector> => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const asked = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer = Answer.safeParse(tryParseJson(String(data)));
    if (!answer.success) return;
    asked.get(answer.data.id)?.(answer.data.result);
    asked.delete(answer.data.id);
  });

  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      asked.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });

  return {
    async held() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = HeapUsage.parse(await ask('Runtime.getHeapUsage'));
      const { result } = Evaluated.parse(await ask('Runtime.evaluate', { expression: question, returnByValue: true }));
      const { rss, resources } = Inside.parse(tryParseJson(result.value));
      return { liveBytes: usedSize + backingStorageSize, rssBytes: rss, resources };
    },
    close: () => socket.close(),
  };
};

/** What is looked at again and again, and must stay where it is. */
export interface Sample {
  /** Seconds from the start. */
  readonly at: number;
  readonly heap: number;
  readonly rss: number;
  readonly timers: number;
  readonly resources: number;
  readonly files: number;
  readonly reply: number;
  readonly lag: number;
  /** How old the agents' picture is; none before the first poll. */
  readonly pollAge: number | undefined;
}

/** A series of which growth is a leak, or a service that gets slower. */
export interface Series {
  readonly name: 'heap' | 'rss' | 'timers' | 'resources' | 'files' | 'reply' | 'lag';
  readonly what: string;
  readonly unit?: string;
}

/** All series that have to stay flat. */
export const series: readonly Series[] = [
  { name: 'heap', what: 'live heap', unit: 'MB' },
  { name: 'rss', what: 'resident memory', unit: 'MB' },
  { name: 'timers', what: 'timers' },
  { name: 'resources', what: 'sockets and other resources' },
  { name: 'files', what: 'open files' },
  { name: 'reply', what: 'reply, median', unit: 'ms' },
  { name: 'lag', what: 'row to event, median', unit: 'ms' },
];
