import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { pollStatusKey } from '../../../lib/agents/rows.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import { marshalled, unmarshalled } from '../../../lib/storage/rows.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { root, startProcessTree, until } from '../../support/process-tree.ts';
import { flatness, percentile, rounded } from '../../support/statistics.ts';
import type { Figure, PartReport } from '../parts.ts';

const Response = z.object({ id: z.number(), result: z.unknown().optional() });
const HeapUsage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });
const Inside = z.object({ rss: z.number(), resources: z.array(z.string()), files: z.number() });

/** Open files and sockets are in /proc; without it there are none. */
const expression = `JSON.stringify({
  rss: process.memoryUsage.rss(),
  resources: process.getActiveResourcesInfo(),
  files: process.platform === 'linux' ? process.getBuiltinModule('fs').readdirSync('/proc/self/fd').length : 0,
})`;

/** Connects to a process that listens with `--inspect`, at the address that it prints. */
const connectInspector = async (address: string) => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const pending = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const response = Response.safeParse(tryParseJson(String(data)));
    if (!response.success) return;
    pending.get(response.data.id)?.(response.data.result);
    pending.delete(response.data.id);
  });

  const request = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });

  return {
    /** The heap after a garbage collection with the buffers beside it, and what keeps the process running, by kind. */
    async held() {
      await request('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = HeapUsage.parse(await request('Runtime.getHeapUsage'));
      const { result } = Evaluated.parse(await request('Runtime.evaluate', { expression, returnByValue: true }));
      const { rss, ...inside } = Inside.parse(tryParseJson(result.value));
      return { liveBytes: usedSize + backingStorageSize, rssBytes: rss, ...inside };
    },
    close: () => socket.close(),
  };
};

const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

const startWithin = { seconds: 60, everyMilliseconds: 25 };

/** The addresses are in the first lines, before those of the posts. */
const shownLines = 200;

/** Starts the sandbox as its users do, with its tables in memory unless there is a folder for them; with the port of an earlier run its address stays. Rejects if it does not start. */
export const startSandboxChild = async ({
  data,
  port = 0,
}: {
  readonly data?: string;
  readonly port?: number;
} = {}) => {
  const lines: string[] = [];
  const ports = ['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0'];
  const tree = startProcessTree({
    command: process.execPath,
    args: ['--inspect=127.0.0.1:0', main, '--no-traffic', ...ports, ...(data === undefined ? [] : ['--data', data])],
    folder: root,
    environment: process.env,
    onLine: (line) => void (lines.length < shownLines && lines.push(line)),
  });
  const found = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];
  const ended = tree.ended.then(() => {
    throw new Error(`The sandbox did not start: ${lines.join('\n')}`);
  });
  ended.catch(() => undefined);
  const ready = until('the sandbox starts', () => found(/(Ctrl-C stops everything\.)/), Boolean, startWithin);
  try {
    await Promise.race([ready, ended]);
    const gateway = found(/POST (http:\/\/127\.0\.0\.1:\d+)/) ?? '';
    const state = async () => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
    const { addresses, accounts } = await state();
    if (!accounts.includes(demoAccount.userName) || addresses.callbacks.includes('{secret}'))
      throw new Error('Unset CALLFEED_ACCOUNTS and CALLFEED_CALLBACK_SECRET: posts belong to the built-in account.');
    const answers = () => fetch(addresses.dynamodb).then(Boolean, () => false);
    return {
      ...{ addresses, state },
      port: Number(new URL(gateway).port),
      inspector: found(/Debugger listening on (ws:\S+)/) ?? '',
      /** Ends it at once. DynamoDB Local, which has a guard of its own, ends soon after. */
      async kill() {
        tree.kill();
        await tree.stop();
        await until('DynamoDB Local is gone', answers, (is) => !is);
      },
      stop: tree.stop,
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

/** A running sandbox in processes of its own, without calls of its own. */
export type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;

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
  /** The age of the agents’ snapshot in seconds; none before the first poll. */
  readonly pollAge: number | undefined;
}

/** A value that must stay flat: growth is a leak, or a service that becomes slower. */
type SeriesName = 'heap' | 'rss' | 'timers' | 'resources' | 'files' | 'reply' | 'lag';

const series: readonly { readonly name: SeriesName; readonly what: string; readonly unit?: string }[] = [
  { name: 'heap', what: 'live heap', unit: 'MB' },
  { name: 'rss', what: 'resident memory', unit: 'MB' },
  { name: 'timers', what: 'timers' },
  { name: 'resources', what: 'sockets and other resources' },
  { name: 'files', what: 'open files' },
  { name: 'reply', what: 'reply, median', unit: 'ms' },
  { name: 'lag', what: 'row to event, median', unit: 'ms' },
];

const bytesPerMegabyte = 1024 * 1024;

/** Takes samples of a sandbox. A median without new values stays as it was. */
export const startSampler = async (child: SandboxChild, latencies: () => readonly number[]) => {
  const client = new DynamoDBClient(localClient(child.addresses.dynamodb));
  const inspector = await connectInspector(child.inspector);
  const events = await followEvents(child.addresses.events);
  const startedAt = performance.now();
  let last = { reply: 0, lag: 0 };
  const median = (numbers: readonly number[], before: number): number =>
    numbers.length === 0 ? before : percentile(numbers, 0.5);

  return {
    async take(): Promise<Sample> {
      const pollAge = await snapshotAge(client, 'demo');
      last = { reply: median(latencies(), last.reply), lag: median(events.lags(), last.lag) };
      const { liveBytes, rssBytes, resources, files } = await inspector.held();
      const timers = resources.filter((kind) => kind === 'Timeout').length;

      return {
        at: (performance.now() - startedAt) / 1_000,
        heap: liveBytes / bytesPerMegabyte,
        rss: rssBytes / bytesPerMegabyte,
        timers,
        resources: resources.length - timers,
        ...{ files, ...last, pollAge },
      };
    },
    async close() {
      client.destroy();
      inspector.close();
      await events.stop();
    },
  };
};

const snapshotAge = async (client: DynamoDBClient, account: string): Promise<number | undefined> => {
  const Key = marshalled({ ...pollStatusKey(account) });
  const { Item } = await client.send(new GetItemCommand({ TableName: tableNames.agents, Key, ConsistentRead: true }));
  const asOf = Item && unmarshalled(Item)['asOf'];
  return typeof asOf === 'string' ? (Date.now() - Date.parse(asOf)) / 1_000 : undefined;
};

const Recorded = z.object({ detail: z.object({ recordedAt: z.string() }) });

/** Follows the bus as a subscriber does, and collects the milliseconds from each row to its event. */
const followEvents = async (address: string) => {
  const stopping = new AbortController();
  const since = Date.now();
  let lags: number[] = [];
  const lagOf = (line: string): readonly number[] => {
    const event = Recorded.safeParse(tryParseJson(line));
    return event.success ? [Date.now() - Date.parse(event.data.detail.recordedAt)] : [];
  };

  const response = await fetch(`${address}?follow`, { signal: stopping.signal });
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      // The bus sends earlier events first; they do not count.
      lags.push(...lines.flatMap(lagOf).filter((lag) => lag <= Date.now() - since));
    }
  };
  const reading = read().catch(() => undefined);

  return {
    /** The lags since the last call of this function. */
    lags() {
      const taken = lags;
      lags = [];
      return taken;
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
};

/** A poll every 15 seconds, and the time that it takes. */
const maxSnapshotSeconds = 20;

/** Fewer samples have no line that could rise. */
export const minSamples = 4;

/** The allowed growth of a series from the first to the last sample. A series that is not listed is only measured. */
export type Allowed = Readonly<Partial<Record<SeriesName, number>>>;

/** Whether all series stayed flat, and the agents were polled all the time. */
export const judgeSamples = (samples: readonly Sample[], allowed: Allowed): PartReport => {
  const reports = series.map(({ name, what, unit }): PartReport => {
    const values = samples.map((sample) => sample[name]);
    const points = samples.map(({ at, [name]: value }) => ({ at, value }));
    const { growth, bound, isFlat } = flatness(points, allowed[name] ?? Number.POSITIVE_INFINITY);
    const figure = (label: string, value: number): Figure => ({
      what: `${what}: ${label}`,
      value: rounded(value),
      ...(unit && { unit }),
    });
    const shown = (value: number): string => `${rounded(value)}${unit === undefined ? '' : ` ${unit}`}`;
    return {
      figures: [
        figure('median', percentile(values, 0.5)),
        figure('maximum', percentile(values, 1)),
        figure('growth', growth),
        ...(allowed[name] === undefined ? [] : [figure('allowed growth', bound)]),
      ],
      failures: isFlat ? [] : [`${what} grew by ${shown(growth)}, where ${shown(bound)} are allowed.`],
    };
  });
  const oldest = Math.max(0, ...samples.map(({ at, pollAge = at }) => pollAge));

  return {
    figures: [
      { what: 'samples', value: samples.length },
      ...reports.flatMap(({ figures }) => figures),
      { what: 'oldest snapshot of the agents', value: rounded(oldest), unit: 's' },
    ],
    failures: [
      ...reports.flatMap(({ failures }) => failures),
      ...(oldest > maxSnapshotSeconds
        ? [`The snapshot of the agents became ${rounded(oldest)} s old, where ${maxSnapshotSeconds} s are allowed.`]
        : []),
    ],
  };
};
