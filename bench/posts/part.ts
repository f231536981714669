import { join } from 'node:path';
import * as z from 'zod';
import { memoryMegabytes, timeoutSeconds } from '../../functions/limits.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { contentTypes, frames, largePost, largestBody, units } from '../../test/fixtures/large-posts.ts';
import { httpApiEvent } from '../../test/support/local-servers.ts';
import { median } from '../../test/support/statistics.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { bundle, type LambdaProcess, startLambda } from '../lambda/lambda-process.ts';
import { processorShare } from '../lambda/processor-share.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { peerSecret } from '../peers/peers.ts';
import { environmentOf } from '../start/bundles.ts';

const sizes = [1_000_000, largestBody];

const memory = memoryMegabytes['receive-callback'];
const share = processorShare(memory);

interface MeasuredPost {
  readonly bytes: number;
  readonly sender: keyof typeof frames;
  readonly contentType: string;
  readonly frame: string;
  readonly unit: string;
  readonly status: number;
  /** Of processor time. */
  readonly seconds: number;
  /** Of the process, when it had replied. */
  readonly rssBytes: number;
}

type PostToMeasure = Omit<MeasuredPost, 'status' | 'seconds' | 'rssBytes'>;

const posts = (bytes: number, sender: keyof typeof frames): readonly PostToMeasure[] =>
  contentTypes.flatMap((contentType) =>
    frames[sender].flatMap((frame) => units.map((unit) => ({ bytes, sender, contentType, frame, unit }))),
  );

const Answer = z.object({ statusCode: z.number() });

const measure = async (receiver: LambdaProcess, post: PostToMeasure): Promise<MeasuredPost> => {
  // A small request tells the processor time until now.
  const { cpuUs: before } = await receiver.invoke(httpApiEvent({ method: 'GET' }));
  const { contentType, frame, unit, bytes } = post;
  const invoked = await receiver.invoke(httpApiEvent(largePost(contentType, frame, unit, bytes)));
  if (invoked.error !== undefined)
    throw new Error(`The receiver failed with ${JSON.stringify(post)}: ${JSON.stringify(invoked.error)}`);
  const { statusCode } = Answer.parse(invoked.result);
  return { ...post, status: statusCode, seconds: (invoked.cpuUs - before) / 1e6, rssBytes: invoked.rssBytes };
};

/** The post that takes longest, with the median of its repetitions. */
const worstOf = async (receiver: LambdaProcess, of: readonly PostToMeasure[], repetitions: number) => {
  let worst: MeasuredPost | undefined;
  for (const post of of) {
    const measured = await measure(receiver, post);
    if (worst === undefined || measured.seconds > worst.seconds) worst = measured;
  }
  if (worst === undefined) throw new Error('No post was measured');
  const again: MeasuredPost[] = [];
  for (let time = 0; time < repetitions; time += 1) again.push(await measure(receiver, worst));
  return { ...worst, seconds: median(again.map(({ seconds }) => seconds)) };
};

const tableOf = (worst: readonly MeasuredPost[]): Table => ({
  head: ['Sender', 'MB', 'seconds', `at the share of ${memory} MB`, 'MB of memory', 'status', 'post'],
  rows: worst.map(({ sender, bytes, seconds, rssBytes, status, contentType, frame, unit }) => [
    sender,
    (bytes / 1e6).toFixed(1),
    seconds.toFixed(2),
    (seconds / share).toFixed(1),
    (rssBytes / 1e6).toFixed(0),
    String(status),
    `\`${frame.replace('…', () => `${JSON.stringify(unit)}…`)}\` as ${contentType}`,
  ]),
});

const mostSeconds = timeoutSeconds['receive-callback'] / 3;

const failuresOf = (worst: readonly MeasuredPost[]): readonly string[] =>
  worst
    .filter(({ seconds }) => seconds / share > mostSeconds)
    .map(
      ({ sender, bytes, seconds }) =>
        `A post of ${bytes} bytes of ${sender} takes ${(seconds / share).toFixed(1)} s at the share of ${memory} MB; ` +
        `the limit is ${mostSeconds} s, a third of the function's time-out.`,
    );

/** How long the largest posts take, those that end in 413 too. */
export const largePosts: Part = {
  name: 'posts',
  what: 'processor time and memory of the posts of 1 MB and 4.5 MB that take longest',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const { folder: bundled } = await bundle('functions/receive-callback/index.ts', join(folder, 'receiver'));
      const aws = await startAwsEndpoint({ secret: peerSecret });
      const worst: MeasuredPost[] = [];
      try {
        for (const bytes of sizes)
          for (const sender of keysOf(frames)) {
            onProgress(`${bytes} bytes of ${sender}`);
            const receiver = await startLambda({ folder: bundled, environment: environmentOf(aws.url) });
            try {
              worst.push(await worstOf(receiver, posts(bytes, sender), repetitions));
            } finally {
              await receiver.stop();
            }
          }
      } finally {
        await aws.close();
      }
      return {
        tables: [{ title: 'The large posts that take longest, in seconds of processor time', table: tableOf(worst) }],
        data: worst,
        failures: failuresOf(worst),
      };
    }),
};
