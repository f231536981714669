import { join } from 'node:path';
import * as z from 'zod';
import { bundling, externalOf } from '../../cdk/constructs/function-code.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import type { StorableItem } from '../../lib/callback/schema.ts';
import type { RecordKey } from '../../lib/calls/call-record.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { applyDeliveries } from '../../lib/calls/record-delivery.ts';
import { marshalled } from '../../lib/storage/rows.ts';

import { jsonAnswer, serve } from '../../sandbox/http/serve.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { deliveryAt } from '../../test/support/call-records.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import { median, percentile } from '../../test/support/statistics.ts';
import { delaysOfAws, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { callNumbered } from '../examples.ts';
import { simulatedAgents } from '../functions.ts';
import { bundle } from '../lambda/bundle.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { bundledPeers, peerAccount } from '../peers/peers.ts';
import type { SentRequests } from './bare-function.ts';

/** The times of one start, in milliseconds from the start of the process. */
export interface Started {
  readonly readyMs: number;
  /** Until its first reply. */
  readonly replyMs: number;
  readonly rssBytes: number;
}

const Done = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ batchItemFailures: z.array(z.unknown()).max(0) }),
]);

/** Starts a bundle, invokes it once, and ends it. Throws if the invocation fails. */
export const startOnce = async (
  { folder, environment, event, name }: MeasuredBundle,
  awsUrl: string,
  sent: SentByName = new Map(),
): Promise<Started> => {
  const process = await startLambda({ folder, environment: environment(awsUrl) });
  try {
    const { result, error, ms, rssBytes } = await process.invoke(event(sent));
    if (error !== undefined || !Done.safeParse(result).success)
      throw new Error(`${name} failed with its first event: ${JSON.stringify(error ?? result)}`);
    return { readyMs: process.readyMs, replyMs: process.readyMs + ms, rssBytes };
  } finally {
    await process.stop();
  }
};

/** The requests that each bundle sent when it was started last, by its name. */
type SentByName = ReadonlyMap<string, SentRequests['requests']>;

/** A bundle's starts, one in each round. */
export interface Start extends Pick<MeasuredBundle, 'name' | 'bytes' | 'comparedWith' | 'limits'> {
  readonly rounds: readonly Started[];
}

/** The receiver of a team: what ours is compared with, as a sender waits for both. */
const plainReceiver = 'peer: plain';

/** The only peer that validates, as ours does. */
const validatingReceiver = 'peer: powertools';

/** The median of the ratios of the rounds, so that a slow minute of the machine slows down both sides. */
const ratioOf = (
  starts: readonly Start[],
  { rounds, comparedWith }: Pick<Start, 'rounds' | 'comparedWith'>,
  figure: Figure,
): number | undefined => {
  const other = starts.find(({ name }) => name === comparedWith);
  if (other === undefined || rounds.length === 0) return undefined;
  return median(rounds.map((round, index) => round[figure] / (other.rounds[index]?.[figure] ?? Number.NaN)));
};

const startTable = (starts: readonly Start[]): Table => ({
  head: [
    'Bundle',
    'KB',
    'ready',
    '10 % to 90 %',
    'ratio',
    'first reply',
    '10 % to 90 %',
    'ratio',
    'MB',
    'compared with',
  ],
  rows: starts.map((start) => {
    const timesOf = (figure: Figure) => {
      const times = start.rounds.map((round) => round[figure]);
      return [
        median(times).toFixed(1),
        `${percentile(times, 0.1).toFixed(1)} to ${percentile(times, 0.9).toFixed(1)}`,
        ratioOf(starts, start, figure)?.toFixed(2) ?? '',
      ];
    };
    return [
      start.name,
      (start.bytes / 1_000).toFixed(0),
      ...timesOf('readyMs'),
      ...timesOf('replyMs'),
      (median(start.rounds.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
      start.comparedWith ?? '',
    ];
  }),
});

const slowStarts = (starts: readonly Start[], { title, delays }: (typeof networks)[number]): readonly string[] =>
  starts.flatMap(({ name, rounds, limits = [] }) =>
    limits
      .filter(({ hasDelays }) => hasDelays === (delays !== undefined))
      .flatMap(({ figure, comparedWith, most }) => {
        const ratio = ratioOf(starts, { rounds, comparedWith }, figure);
        if (ratio === undefined || ratio <= most) return [];
        const what = figure === 'readyMs' ? 'is ready' : 'has replied';
        return [
          `${name} ${what} after ${ratio.toFixed(2)} x the time of ${comparedWith} (${title}); the limit is ${most} x.`,
        ];
      }),
  );

/** The agents of a contact centre of middle size. */
const agents = 100;

/** A request to AWS or to the telephony service. */
interface ReceivedRequest {
  readonly operation: string;
  readonly input: unknown;
  /** When it arrived, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The service that the poller asks, and AWS, with delays or without. */
export const startServices = async (delays: Parameters<typeof startAwsEndpoint>[0] = {}) => {
  let asked: readonly ReceivedRequest[] = [];
  const provider = await serve(async ({ path }) => {
    const atMs = performance.timeOrigin + performance.now();
    asked = [...asked, { operation: 'getAgentLogins', input: { url: new URL(path, provider.url).href }, atMs }];
    return jsonAnswer(200, JSON.parse(simulatedAgents(agents).answer()));
  });
  const account = {
    userName: peerAccount.userName,
    apiKeys: [peerAccount.key],
    timeZone: 'Asia/Kolkata',
    baseUrl: provider.url,
    token: { kind: 'none' },
    // The forwarding function puts a message for it into its queue, and does not post.
    forwardTo: ['https://old.example/callDetails'],
  };
  const aws = await startAwsEndpoint({ secret: JSON.stringify([account]), ...delays });
  return {
    url: aws.url,
    /** The requests since they were taken last, in the order in which they arrived. */
    takeRequests(): readonly ReceivedRequest[] {
      const all = [...aws.takeRequests(), ...asked].sort((a, b) => a.atMs - b.atMs);
      asked = [];
      return all.map(({ operation, input, atMs }) => ({ operation, input, atMs }));
    },
    async close() {
      await aws.close();
      await provider.close();
    },
  };
};

/** The networks to start in: the local one, whose answers come at once, and one that is as far away as AWS. */
const networks = [
  { title: 'AWS answers at once', delays: undefined },
  { title: 'AWS answers after 10 ms, and after 50 ms on a new connection', delays: delaysOfAws },
];

/** Starts all bundles in a network, once a round. */
const startAll = async (
  bundles: readonly MeasuredBundle[],
  { title, delays }: (typeof networks)[number],
  { repetitions, onProgress }: Parameters<Part['run']>[0],
): Promise<readonly Start[]> => {
  const services = await startServices(delays && { delays });
  const rounds: ReadonlyMap<string, Started>[] = [];
  const sent = new Map<string, SentRequests['requests']>();
  try {
    // The first round fills the disk caches, and finds the requests of each function. It does not count.
    for (let round = 0; round <= repetitions; round++) {
      onProgress(`${title}: round ${round} of ${repetitions}`);
      const started = new Map<string, Started>();
      // In either direction, so that nobody always comes first.
      for (const each of round % 2 === 0 ? bundles : bundles.toReversed()) {
        started.set(each.name, await startOnce(each, services.url, sent));
        sent.set(each.name, services.takeRequests());
      }
      if (round > 0) rounds.push(started);
    }
  } finally {
    await services.close();
  }
  return bundles.map(({ name, bytes, comparedWith, limits }) => {
    const own = rounds.flatMap((round) => round.get(name) ?? []);
    return { name, bytes, comparedWith, limits, rounds: own };
  });
};

/** The time from the start of a process until it asks for work, and until its first reply. */
export const start: Part = {
  name: 'start',
  what: 'start of each function, compared with its AWS clients alone, an empty handler and two peers',
  run: (settings) =>
    withTemporaryFolder(async (folder) => {
      settings.onProgress('bundling');
      const bundles = await measuredBundles(folder);
      const measured: { readonly network: (typeof networks)[number]; readonly starts: readonly Start[] }[] = [];
      for (const network of networks) measured.push({ network, starts: await startAll(bundles, network, settings) });
      return {
        tables: measured.map(({ network: { title }, starts }) => ({
          title: `From the start of the process, in milliseconds. ${title}`,
          table: startTable(starts),
        })),
        data: measured.map(({ network: { title }, starts }) => ({ title, starts })),
        failures: measured.flatMap(({ network, starts }) => slowStarts(starts, network)),
      };
    }),
};

const at = '2026-11-20T06:00:00.000Z';
const key: RecordKey = { kind: 'call', account: 'demo', callId: '41781234000000001' };
const delivery = deliveryAt({ status: 'answered', startedAt: at, timeZone: 'Asia/Kolkata', agentIds: ['asha'] }, at);

const row = marshalled(rowOf(applyDeliveries(key, undefined, [delivery], at).record, 730));
const change = { SequenceNumber: '000000000000000000001', NewImage: row, ApproximateCreationDateTime: new Date(at) };
const parked: StorableItem = { kind: 'delivery', key, delivery };

const message = (body: string) => ({ messageId: '1', body, attributes: { SentTimestamp: String(Date.now()) } });

/** A function whose start is measured. The one that makes rows of events calls no service, and nobody waits for it. */
export type MeasuredFunction = Exclude<FunctionName, 'transform-events'>;

/** A usual event for each of them: a new call, a change of a row, a parked call, a tick. */
export const firstEvent: Readonly<Record<MeasuredFunction, () => unknown>> = {
  'receive-callback': () => httpApiEvent({ body: formOf(callNumbered(1)) }),
  'publish-changes': () => ({ Records: [lambdaRecord({ eventName: 'INSERT', dynamodb: change }, 'stream')] }),
  'recover-callbacks': () => ({ Records: [message(JSON.stringify(parked))] }),
  'poll-agents': () => ({ Records: [message('tick')] }),
  'reconcile-calls': () => ({ Records: [message('{"kind":"all"}')] }),
  'archive-recordings': () => ({ Records: [message('{"account":"demo","callId":"1"}')] }),
  'forward-deliveries': () => ({ Records: [lambdaRecord({ eventName: 'INSERT', dynamodb: change }, 'stream')] }),
};

/** What is measured of a start. */
const figures = ['readyMs', 'replyMs'] as const;
type Figure = (typeof figures)[number];

export interface MeasuredBundle {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  /** Its first event; for clients alone, the requests of the function that they belong to. */
  event(sent: SentByName): unknown;
  /** The name of the bundle that it is compared with. */
  readonly comparedWith?: string | undefined;
  readonly limits?: readonly Limit[] | undefined;
}

/** How many times as long as another bundle it may take, in one of the networks. */
interface Limit {
  readonly hasDelays: boolean;
  readonly figure: Figure;
  readonly comparedWith: string;
  readonly most: number;
}

/** What a sender waits for has AWS's delays. Where AWS answers at once, ours has to be ahead of what does as much. */
const receiverLimits: readonly Limit[] = [
  { hasDelays: true, figure: 'replyMs', comparedWith: plainReceiver, most: 0.95 },
  { hasDelays: true, figure: 'readyMs', comparedWith: plainReceiver, most: 1.1 },
  { hasDelays: false, figure: 'replyMs', comparedWith: validatingReceiver, most: 0.85 },
];

export const functionNames: readonly MeasuredFunction[] = [
  'receive-callback',
  'publish-changes',
  'recover-callbacks',
  'poll-agents',
  'reconcile-calls',
  'forward-deliveries',
  'archive-recordings',
];

export const environmentOf = (awsUrl: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: awsUrl,
  CALLS_TABLE: 'calls',
  QUARANTINE_TABLE: 'quarantine',
  AGENTS_TABLE: 'agents',
  PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
  RECONCILE_QUEUE_URL: `${awsUrl}/000000000000/reconciliation`,
  FORWARD_QUEUE_URL: `${awsUrl}/000000000000/forwarding.fifo`,
  RECORDINGS_BUCKET: 'recordings',
  RECORDINGS_QUEUE_URL: `${awsUrl}/000000000000/recordings`,
  RECORDINGS_DEAD_LETTERS_URL: `${awsUrl}/000000000000/recordings-dead-letters`,
  RECORDING_HOSTS: 'recordings.example.com',
  BUS_NAME: 'callfeed',
  ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
});

const clientsOf = (name: MeasuredFunction): string => `${name}: AWS clients alone`;

const functionIn = async (name: MeasuredFunction, folder: string): Promise<MeasuredBundle> => {
  const bundled = await bundle(join('functions', name, 'index.ts'), join(folder, name));
  const measured = { name, environment: environmentOf, event: firstEvent[name], ...bundled };
  if (name === 'receive-callback') return { ...measured, comparedWith: plainReceiver, limits: receiverLimits };
  const comparedWith = clientsOf(name);
  return { ...measured, comparedWith, limits: [{ hasDelays: true, figure: 'replyMs', comparedWith, most: 1.1 }] };
};

const clientsIn = async (name: MeasuredFunction, folder: string): Promise<MeasuredBundle> => {
  const define = { ...bundling.define, functionName: JSON.stringify(name) };
  const external = externalOf(join('functions', name, 'index.ts'));
  const bundled = await bundle('bench/start/bare-function.ts', join(folder, `bare-${name}`), { define, external });
  const event = (sent: SentByName): SentRequests => {
    const requests = sent.get(name);
    if (requests === undefined || requests.length === 0)
      throw new Error(`${name} has to be started first, and to send requests: its clients send the same.`);
    return { requests };
  };
  return { name: clientsOf(name), environment: environmentOf, event, ...bundled };
};

/**
 * Bundles into `folder` an empty handler, our functions, their AWS clients alone, and the peers. What is compared comes one
 * after the other, as the speed of a machine changes within seconds.
 */
export const measuredBundles = async (folder: string): Promise<readonly MeasuredBundle[]> => {
  const event = firstEvent['receive-callback'];
  const empty = await bundle('bench/start/empty.ts', join(folder, 'empty'));
  const [, ...peers] = await bundledPeers(folder);
  const pairs = functionNames.map((name) => Promise.all([functionIn(name, folder), clientsIn(name, folder)]));
  return [
    { name: 'empty handler', environment: () => ({}), event, ...empty },
    ...peers.map(({ peer, receiver }) => ({ name: `peer: ${peer.name}`, event, ...receiver })).reverse(),
    ...(await Promise.all(pairs)).flat(),
  ];
};
