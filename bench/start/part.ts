import * as z from 'zod';
import { jsonAnswer, serve } from '../../sandbox/http/serve.ts';
import { median, percentile } from '../../test/support/statistics.ts';
import { delaysOfAws, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { simulatedAgents } from '../functions.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { peerAccount } from '../peers/peers.ts';
import { type MeasuredBundle, measuredBundles, type SentByName } from './bundles.ts';

interface OneStart {
  readonly readyMs: number;
  readonly replyMs: number;
  readonly rssBytes: number;
}

const Done = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ batchItemFailures: z.array(z.unknown()).max(0) }),
]);

/** Starts a bundle, invokes it once, and ends it. Throws if the invocation fails. */
const startOnce = async (
  { folder, environment, event, name }: MeasuredBundle,
  awsUrl: string,
  sent: SentByName,
): Promise<OneStart> => {
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

type Figure = 'readyMs' | 'replyMs';

/** A bundle's starts, one in each round. */
interface BundleStarts extends Pick<MeasuredBundle, 'name' | 'bytes' | 'comparedWith' | 'limits'> {
  readonly rounds: readonly OneStart[];
}

/** The median of the ratios of the rounds, so that a slow minute of the machine slows down both sides. */
const ratioOf = (
  starts: readonly BundleStarts[],
  { rounds, comparedWith }: Pick<BundleStarts, 'rounds' | 'comparedWith'>,
  figure: Figure,
): number | undefined => {
  const other = starts.find(({ name }) => name === comparedWith);
  if (other === undefined || rounds.length === 0) return undefined;
  return median(rounds.map((round, index) => round[figure] / (other.rounds[index]?.[figure] ?? Number.NaN)));
};

const startTable = (starts: readonly BundleStarts[]): Table => ({
  head: [
    ...['Bundle', 'KB', 'ready', '10 % to 90 %', 'ratio', 'first reply', '10 % to 90 %', 'ratio', 'MB'],
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

const slowStarts = (starts: readonly BundleStarts[], { title, delays }: (typeof networks)[number]): readonly string[] =>
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

const agents = 100;

interface ReceivedRequest {
  readonly operation: string;
  readonly input: unknown;
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

const measureStarts = async (
  bundles: readonly MeasuredBundle[],
  { title, delays }: (typeof networks)[number],
  { repetitions, onProgress }: Parameters<Part['run']>[0],
): Promise<readonly BundleStarts[]> => {
  const services = await startServices(delays && { delays });
  const rounds: ReadonlyMap<string, OneStart>[] = [];
  const sent = new Map<string, ReturnType<typeof services.takeRequests>>();
  try {
    // The first round fills the disk caches, and finds the requests of each function. It does not count.
    for (let round = 0; round <= repetitions; round++) {
      onProgress(`${title}: round ${round} of ${repetitions}`);
      const started = new Map<string, OneStart>();
      // Every other round has the opposite order, so that no bundle always starts first.
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
    return { name, bytes, ...(comparedWith && { comparedWith }), ...(limits && { limits }), rounds: own };
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
      const measured: { readonly network: (typeof networks)[number]; readonly starts: readonly BundleStarts[] }[] = [];
      for (const network of networks)
        measured.push({ network, starts: await measureStarts(bundles, network, settings) });
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
