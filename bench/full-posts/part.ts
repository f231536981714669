import { join } from 'node:path';
import * as z from 'zod';
import { memoryMegabytes, timeoutSeconds } from '../../functions/limits.ts';
import { maxContentBytes, maxRecords } from '../../lib/callback/reply.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { median } from '../../test/support/statistics.ts';
import { delaysOfAws, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { bundle, startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { peerSecret } from '../peers/peers.ts';
import { callNumbered } from '../sample-posts.ts';
import { environmentOf } from '../start/bundles.ts';

/** So many records, each with a comment that fills it up to `bytes` together. */
const postOf = (records: number, bytes = 0): string => {
  const list = (comment: string): string => {
    const of = (index: number) => callNumbered(index + 1).replace('{', `{"Note": ${JSON.stringify(comment)},`);
    return `[${Array.from({ length: records }, (_, index) => of(index)).join(',')}]`;
  };
  const room = Math.floor((bytes - list('').length) / records);
  return list('the customer asked for it '.repeat(100).slice(0, Math.max(0, room)));
};

const name = 'receive-callback';

const posts = [
  { title: 'one record', records: 1, data: postOf(1) },
  { title: `${maxRecords} records`, records: maxRecords, data: postOf(maxRecords) },
  { title: `${maxRecords} records of 1 MB`, records: maxRecords, data: postOf(maxRecords, maxContentBytes) },
];

interface ColdPost {
  readonly status: number;
  readonly stored: number;
  readonly parked: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
}

const Answer = z.object({ statusCode: z.number(), body: z.string() });
const Counts = z.object({ stored: z.number(), parked: z.number().default(0) });

/** The answer of a new process to its first post, at the share of a processor that goes with its memory. */
const postOnce = async (folder: string, awsUrl: string, data: string, memory: number): Promise<ColdPost> => {
  const settings = { folder, environment: environmentOf(awsUrl), memory, seconds: timeoutSeconds[name] };
  const receiver = await startLambda({ ...settings, shareFrom: 'ready' });
  try {
    const { result, error, ms, cpuUs, rssBytes } = await receiver.invoke(httpApiEvent({ body: formOf(data) }));
    if (error !== undefined) throw new Error(`The receiver failed: ${JSON.stringify(error)}`);
    const { statusCode: status, body } = Answer.parse(result);
    return { status, ...Counts.parse(JSON.parse(body)), ms, cpuMs: cpuUs / 1_000, rssBytes };
  } finally {
    await receiver.stop();
  }
};

interface MeasuredPost extends Pick<(typeof posts)[number], 'title' | 'records'> {
  readonly memory: number;
  readonly runs: readonly ColdPost[];
}

const isStored = ({ records }: MeasuredPost, { status, stored }: ColdPost): boolean =>
  status === 200 && stored === records;

const tableOf = (measured: readonly MeasuredPost[]): Table => ({
  head: ['Post', 'MB', 'processes', 'stored whole', 'answer, ms', 'longest, ms', 'processor, ms', 'MB used'],
  rows: measured.map((post) => {
    const of = (figure: 'ms' | 'cpuMs' | 'rssBytes') => post.runs.map((run) => run[figure]);
    return [
      post.title,
      String(post.memory),
      String(post.runs.length),
      String(post.runs.filter((run) => isStored(post, run)).length),
      ...[median(of('ms')), Math.max(...of('ms')), median(of('cpuMs')), median(of('rssBytes')) / 1e6].map((value) =>
        value.toFixed(0),
      ),
    ];
  }),
});

const failuresOf = (measured: readonly MeasuredPost[]): readonly string[] =>
  measured.flatMap((post) =>
    post.runs
      .filter((run) => !isStored(post, run))
      .map(
        ({ status, stored, parked }) =>
          `A post of ${post.title} with ${post.memory} MB ended in ${status}, ${stored} stored and ${parked} parked.`,
      ),
  );

/** Whether the largest posts are stored by processes that have just started. */
export const fullPosts: Part = {
  name: 'full-posts',
  what: `posts of ${maxRecords} records and of 1 MB to new processes: all stored, none parked`,
  run: ({ repetitions, memory = [memoryMegabytes[name]], onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const { folder: bundled } = await bundle(`functions/${name}/index.ts`, join(folder, 'receiver'));
      const aws = await startAwsEndpoint({ secret: peerSecret, delays: delaysOfAws });
      const measured: MeasuredPost[] = [];
      try {
        for (const megabytes of memory)
          for (const { title, records, data } of posts) {
            const runs: ColdPost[] = [];
            for (let run = 1; run <= repetitions; run += 1) {
              onProgress(`${title}, ${megabytes} MB: process ${run} of ${repetitions}`);
              runs.push(await postOnce(bundled, aws.url, data, megabytes));
              aws.takeRequests();
            }
            measured.push({ title, records, memory: megabytes, runs });
          }
      } finally {
        await aws.close();
      }
      return {
        tables: [{ title: 'The first post of a new process. AWS answers after 10 ms', table: tableOf(measured) }],
        data: measured,
        failures: failuresOf(measured),
      };
    }),
};
