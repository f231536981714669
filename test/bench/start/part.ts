import { join } from 'node:path';
import * as z from 'zod';
import { marshalled } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import { applyDeliveries, type RecordKey } from '../../../lib/calls/call-record.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';

import { jsonAnswer, serve } from '../../../sandbox/http/serve.ts';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';
import { deliveryAt } from '../../support/call-records.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { median, percentile } from '../../support/statistics.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { simulatedAgents } from '../costs/poller.ts';
import { callNumbered } from '../examples.ts';
import { bundle } from '../lambda/bundle.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { bundledPeers, peerAccount } from '../peers/peers.ts';

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
const startOnce = async ({ folder, environment, event, name }: MeasuredBundle, awsUrl: string): Promise<Started> => {
  const process = await startLambda({ folder, environment: environment(awsUrl) });
  try {
    const { result, error, ms, rssBytes } = await process.invoke(event());
    if (error !== undefined || !Done.safeParse(result).success)
      throw new Error(`${name} failed with its first event: ${JSON.stringify(error ?? result)}`);
    return { readyMs: process.readyMs, replyMs: process.readyMs + ms, rssBytes };
  } finally {
    await process.stop();
  }
};

export interface Start {
  readonly name: string;
  readonly bytes: number;
  /** The name of the bundle that it is compared with. */
  readonly bare: string | undefined;
  readonly rounds: readonly Started[];
}

/** How much longer a function may take until it is ready than its AWS clients alone. */
const maxRatioToBare = 1.15;

/** The function with the limit: a sender waits for it. */
const functionWithLimit = 'receive-callback';

/** The median of the ratios of the rounds, so that a slow minute of the machine slows down both sides. */
const ratioToBare = (starts: readonly Start[], { bare, rounds }: Start): number | undefined => {
  const other = starts.find(({ name }) => name === bare);
  if (other === undefined || rounds.length === 0) return undefined;
  return median(rounds.map(({ readyMs }, round) => readyMs / (other.rounds[round]?.readyMs ?? Number.NaN)));
};

const head = ['Bundle', 'KB', 'ready', '10 % to 90 %', 'ratio to its clients', 'first reply', 'MB in memory'] as const;

const startTable = (starts: readonly Start[]): Table => ({
  head,
  rows: starts.map((start) => {
    const ready = start.rounds.map(({ readyMs }) => readyMs);
    return [
      start.name,
      (start.bytes / 1_000).toFixed(0),
      median(ready).toFixed(1),
      `${percentile(ready, 0.1).toFixed(1)} to ${percentile(ready, 0.9).toFixed(1)}`,
      ratioToBare(starts, start)?.toFixed(2) ?? '',
      median(start.rounds.map(({ replyMs }) => replyMs)).toFixed(1),
      (median(start.rounds.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
    ];
  }),
});

const slowStarts = (starts: readonly Start[]): readonly string[] =>
  starts
    .filter(({ name }) => name === functionWithLimit)
    .flatMap((start) => {
      const ratio = ratioToBare(starts, start) ?? Number.NaN;
      return ratio <= maxRatioToBare
        ? []
        : [
            `${start.name} is ready after ${ratio.toFixed(2)} x the time of its AWS clients alone; the limit is ${maxRatioToBare} x.`,
          ];
    });

/** The agents of a contact centre of middle size. */
const agents = 100;

/** The time from the start of a process until it asks for work, and until its first reply. */
export const start: Part = {
  name: 'start',
  what: 'start of each function, compared with an empty handler, its AWS clients alone and two peers',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const bundles = await measuredBundles(folder);
      const provider = await serve(async () => jsonAnswer(200, JSON.parse(simulatedAgents(agents).answer())));
      const account = {
        userName: peerAccount.userName,
        apiKeys: [peerAccount.key],
        timeZone: 'UTC',
        baseUrl: provider.url,
        token: { kind: 'none' },
      };
      const aws = await startAwsEndpoint({ secret: JSON.stringify([account]) });
      const rounds: (readonly Started[])[] = [];
      try {
        // The first round fills the disk caches, and does not count.
        for (let round = 0; round <= repetitions; round++) {
          onProgress(`round ${round} of ${repetitions}`);
          const started: Started[] = [];
          for (const each of bundles) started.push(await startOnce(each, aws.url));
          if (round > 0) rounds.push(started);
        }
      } finally {
        await aws.close();
        await provider.close();
      }
      const starts = bundles.map(
        ({ name, bytes, bare }, index): Start => ({
          name,
          bytes,
          bare,
          rounds: rounds.flatMap((round) => round[index] ?? []),
        }),
      );
      return {
        tables: [{ title: 'From the start of the process, in milliseconds', table: startTable(starts) }],
        data: starts,
        failures: slowStarts(starts),
      };
    }),
};

const at = '2026-11-20T06:00:00.000Z';
const key: RecordKey = { kind: 'call', account: 'demo', callId: '41781234000000001' };
const delivery = deliveryAt({ status: 'answered', startedAt: at, timeZone: 'Asia/Kolkata', agentIds: ['asha'] }, at);

const row = marshalled(rowOf(applyDeliveries(key, undefined, [delivery], at).record, 730));
const change = { SequenceNumber: '000000000000000000001', NewImage: row, ApproximateCreationDateTime: new Date(at) };
const parked: Parked = { kind: 'delivery', key, delivery };

const message = (body: string) => ({ messageId: '1', body, attributes: { SentTimestamp: String(Date.now()) } });

/** A usual event for each function: a new call, a change of a row, a parked call, a tick. */
const firstEvent: Readonly<Record<FunctionName, () => unknown>> = {
  'receive-callback': () => httpApiEvent({ body: formOf(callNumbered(1)) }),
  'publish-changes': () => ({ Records: [lambdaRecord({ eventName: 'INSERT', dynamodb: change }, 'stream')] }),
  'recover-callbacks': () => ({ Records: [message(JSON.stringify(parked))] }),
  'poll-agents': () => ({ Records: [message('tick')] }),
  'reconcile-calls': () => ({ Records: [message('{"kind":"all"}')] }),
};

export interface MeasuredBundle {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  event(): unknown;
  /** The name of the bundle that it is compared with: its AWS clients and nothing else. */
  readonly bare?: string;
}

const functionNames: readonly FunctionName[] = [
  'receive-callback',
  'publish-changes',
  'recover-callbacks',
  'poll-agents',
  'reconcile-calls',
];

const environmentOf = (awsUrl: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: awsUrl,
  CALLS_TABLE: 'calls',
  QUARANTINE_TABLE: 'quarantine',
  AGENTS_TABLE: 'agents',
  PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
  RECONCILE_QUEUE_URL: `${awsUrl}/000000000000/reconciliation`,
  BUS_NAME: 'callfeed',
  ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
});

const clientsAlone = 'receive-callback: AWS clients alone';

const functionIn = async (name: FunctionName, folder: string): Promise<MeasuredBundle> => ({
  name,
  environment: environmentOf,
  event: firstEvent[name],
  ...(await bundle(join('functions', name, 'index.ts'), join(folder, name))),
  ...(name === functionWithLimit && { bare: clientsAlone }),
});

/** Bundles into `folder` an empty handler, our functions, their AWS clients alone, and the peers. */
export const measuredBundles = async (folder: string): Promise<readonly MeasuredBundle[]> => {
  const event = firstEvent['receive-callback'];
  const empty = await bundle('test/bench/start/empty.ts', join(folder, 'empty'));
  const bare = await bundle('test/bench/start/bare-receiver.ts', join(folder, 'bare'));
  const functions = await Promise.all(functionNames.map((name) => functionIn(name, folder)));
  const [, ...peers] = await bundledPeers(folder);
  return [
    { name: 'empty handler', environment: () => ({}), event, ...empty },
    ...functions,
    { name: clientsAlone, environment: environmentOf, event, ...bare },
    ...peers.map(({ peer, receiver }) => ({ name: `peer: ${peer.name}`, event, ...receiver })),
  ];
};
