import { join } from 'node:path';
import * as z from 'zod';
import { parkingReserveMs, replyReserveMs } from '../../functions/adapters/aws-clients.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { maxContentBytes, maxRecords } from '../../lib/callback/reply.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { median } from '../../test/support/statistics.ts';
import { delaysOfAws, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { callNumbered } from '../functions.ts';
import { bundle, startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { peerSecret } from '../peers/peers.ts';
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

/** The answer of a new process to its first post. */
const postOnce = async (folder: string, awsUrl: string, data: string): Promise<ColdPost> => {
  const receiver = await startLambda({ folder, environment: environmentOf(awsUrl) });
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
  readonly runs: readonly ColdPost[];
}

const isStored = ({ records }: MeasuredPost, { status, stored }: ColdPost): boolean =>
  status === 200 && stored === records;

const tableOf = (measured: readonly MeasuredPost[]): Table => ({
  head: ['Post', 'processes', 'stored whole', 'answer, ms', 'longest, ms', 'processor, ms', 'MB of memory'],
  rows: measured.map((post) => {
    const of = (figure: 'ms' | 'cpuMs' | 'rssBytes') => post.runs.map((run) => run[figure]);
    return [
      post.title,
      String(post.runs.length),
      String(post.runs.filter((run) => isStored(post, run)).length),
      ...[median(of('ms')), Math.max(...of('ms')), median(of('cpuMs')), median(of('rssBytes')) / 1e6].map((value) =>
        value.toFixed(0),
      ),
    ];
  }),
});

/** For how long a run stores. Here each run has more time than its time-out, so one that stores for longer is a failure of its own. */
const mostSeconds = timeoutSeconds['receive-callback'] - (parkingReserveMs + replyReserveMs) / 1_000;

const failuresOf = (measured: readonly MeasuredPost[]): readonly string[] =>
  measured.flatMap((post) =>
    post.runs.flatMap((run) => {
      const seconds = run.ms / 1_000;
      if (!isStored(post, run))
        return [`A post of ${post.title} ended in ${run.status}, ${run.stored} stored and ${run.parked} parked.`];
      return seconds < mostSeconds
        ? []
        : [`A post of ${post.title} took ${seconds.toFixed(1)} s; it is stored for ${mostSeconds} s.`];
    }),
  );

/** Whether the largest posts are stored by processes that have just started. */
export const fullPosts: Part = {
  name: 'full-posts',
  what: `posts of ${maxRecords} records and of 1 MB to new processes: all stored, none parked`,
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const { folder: bundled } = await bundle('functions/receive-callback/index.ts', join(folder, 'receiver'));
      const aws = await startAwsEndpoint({ secret: peerSecret, delays: delaysOfAws });
      const measured: MeasuredPost[] = [];
      try {
        for (const { title, records, data } of posts) {
          const runs: ColdPost[] = [];
          for (let run = 1; run <= repetitions; run += 1) {
            onProgress(`${title}: process ${run} of ${repetitions}`);
            runs.push(await postOnce(bundled, aws.url, data));
            aws.takeRequests();
          }
          measured.push({ title, records, runs });
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
