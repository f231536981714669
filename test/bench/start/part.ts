import * as z from 'zod';
import { jsonAnswer, serve } from '../../../sandbox/http/serve.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { simulatedAgents } from '../costs/poller.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import type { Part } from '../part.ts';
import { peerAccount } from '../peers/peers.ts';
import { lowerMedian, percentile } from '../statistics.ts';
import type { Table } from '../table.ts';
import { withTemporaryFolder } from '../temporary-resources.ts';
import { type MeasuredBundle, measuredBundles } from './measured-bundles.ts';

/** How long one start took, in milliseconds from the start of the process. */
export interface Started {
  /** Until it asks for work. */
  readonly readyMs: number;
  /** Until its first reply. */
  readonly replyMs: number;
  readonly rssBytes: number;
}

const Done = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ batchItemFailures: z.array(z.unknown()).max(0) }),
]);

/** Starts a bundle, gives it its first event, and ends it. Throws if it does not do what it should. */
const startOnce = async ({ folder, environment, event, name }: MeasuredBundle, awsUrl: string): Promise<Started> => {
  const process = await startLambda({ folder, environment: environment(awsUrl) });
  try {
    const { result, error, ms, rssBytes } = await process.invoke(event());
    if (error !== undefined || !Done.safeParse(result).success)
      throw new Error(`${name} did not do its first work: ${JSON.stringify(error ?? result)}`);
    return { readyMs: process.readyMs, replyMs: process.readyMs + ms, rssBytes };
  } finally {
    await process.stop();
  }
};

/** The starts of one bundle, a round each. */
export interface Start {
  readonly name: string;
  readonly bytes: number;
  /** The name of the bundle that it is held against. */
  readonly bare: string | undefined;
  readonly rounds: readonly Started[];
}

/** How much longer a function may take until it is ready than the AWS clients that it uses. */
const maxRatioToBare = 1.15;

/** The function that somebody waits for: the bar is for this one. */
const functionWithBar = 'receive-callback';

/** The median of what each round says by itself, so that a slow minute of the machine weighs on both sides. */
const ratioToBare = (starts: readonly Start[], { bare, rounds }: Start): number | undefined => {
  const other = starts.find(({ name }) => name === bare);
  if (other === undefined || rounds.length === 0) return undefined;
  return lowerMedian(rounds.map(({ readyMs }, round) => readyMs / (other.rounds[round]?.readyMs ?? Number.NaN)));
};

const head = ['Bundle', 'KB', 'ready', '10 % to 90 %', 'times its clients', 'first reply', 'MB in memory'] as const;

/** One bundle a row. */
const startTable = (starts: readonly Start[]): Table => ({
  head,
  rows: starts.map((start) => {
    const ready = start.rounds.map(({ readyMs }) => readyMs);
    return [
      start.name,
      (start.bytes / 1_000).toFixed(0),
      lowerMedian(ready).toFixed(1),
      `${percentile(ready, 0.1).toFixed(1)} to ${percentile(ready, 0.9).toFixed(1)}`,
      ratioToBare(starts, start)?.toFixed(2) ?? '',
      lowerMedian(start.rounds.map(({ replyMs }) => replyMs)).toFixed(1),
      (lowerMedian(start.rounds.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
    ];
  }),
});

/** What is above the bar. */
const slowStarts = (starts: readonly Start[]): readonly string[] =>
  starts
    .filter(({ name }) => name === functionWithBar)
    .flatMap((start) => {
      const times = ratioToBare(starts, start) ?? Number.NaN;
      return times <= maxRatioToBare
        ? []
        : [`${start.name} is ready after ${times.toFixed(2)} x its bare AWS clients; the bar is ${maxRatioToBare} x.`];
    });

/** As many agents as a middling contact centre has. */
const agents = 100;

/** How long our functions take from the start of their process to the first work and reply, beside what they could be. */
export const start: Part = {
  name: 'start',
  what: 'start of each function, beside an empty handler, its bare AWS clients and two peers',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const contestants = await measuredBundles(folder);
      const provider = await serve(async () => jsonAnswer(200, JSON.parse(simulatedAgents(agents).answer())));
      const account = { userName: peerAccount.userName, apiKeys: [peerAccount.key], baseUrl: provider.url };
      const wire = await startAwsEndpoint({ secret: JSON.stringify([account]) });
      const rounds: (readonly Started[])[] = [];
      try {
        // The first round fills the caches of the disk.
        for (let round = 0; round <= repetitions; round++) {
          onProgress(`round ${round} of ${repetitions}`);
          const started: Started[] = [];
          for (const contestant of contestants) started.push(await startOnce(contestant, wire.url));
          if (round > 0) rounds.push(started);
        }
      } finally {
        await wire.close();
        await provider.close();
      }
      const starts = contestants.map(
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
