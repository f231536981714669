import type { SandboxState } from '../../../sandbox/sandbox-state.ts';
import type { Figure, PartOptions, PartReport } from '../part.ts';
import { flatness, percentile, rounded } from '../statistics.ts';
import { type Sample, type Series, series } from './sampler.ts';

/** A poll every 15 seconds, and the time it takes. */
const oldestPictureSeconds = 20;

/** Fewer have no line that could rise: whatever they are, they would be flat. */
const fewestSamples = 4;

const figuresOf = (label: string, unit: Series['unit'], values: readonly (readonly [string, number])[]) =>
  values.map(([what, value]): Figure => ({ what: `${label}: ${what}`, value: rounded(value), ...(unit && { unit }) }));

const judgeSeries = (
  samples: readonly Sample[],
  { name, what, unit }: Series,
  allowed: number | undefined,
): PartReport => {
  const { growth, bound, isFlat } = flatness(
    samples.map((sample) => ({ at: sample.at, value: sample[name] })),
    allowed ?? Number.POSITIVE_INFINITY,
  );
  const values = samples.map((sample) => sample[name]);
  const told = (value: number): string => `${rounded(value)}${unit === undefined ? '' : ` ${unit}`}`;

  return {
    figures: figuresOf(what, unit, [
      ['in the middle', percentile(values, 0.5)],
      ['at most', percentile(values, 1)],
      ['growth', growth],
      ...(allowed === undefined ? [] : [['growth that is allowed', bound] as const]),
    ]),
    failures: isFlat ? [] : [`${what} grew by ${told(growth)}, where ${told(bound)} are allowed.`],
  };
};

/** Whether everything stayed where it was once the warm-up was over, and the agents were polled all the time. */
export const judge = (
  samples: readonly Sample[],
  { warmUpSeconds, allowed }: Pick<SoakSize, 'warmUpSeconds' | 'allowed'>,
): PartReport => {
  const judged = samples.filter(({ at }) => at >= warmUpSeconds);
  const reports = series.map((one) => judgeSeries(judged, one, allowed[one.name]));
  const oldest = Math.max(0, ...judged.map(({ at, pollAge = at }) => pollAge));

  return {
    figures: [
      ...reports.flatMap(({ figures }) => figures),
      { what: 'oldest picture of the agents', value: rounded(oldest), unit: 's' },
    ],
    failures: [
      ...(judged.length < fewestSamples ? [`${judged.length} samples tell of no growth.`] : []),
      ...reports.flatMap(({ failures }) => failures),
      ...(oldest > oldestPictureSeconds
        ? [`The picture of the agents became ${rounded(oldest)} s old, where ${oldestPictureSeconds} s are allowed.`]
        : []),
    ],
  };
};

/** No answer in time, or none that the stores could give in time. */
const isSlow = (status: number): boolean => status === 0 || status === 503;

/** Whether every post was taken, nothing was given up, and the service was never asked too often. */
export const judgeOutcome = (
  answers: ReadonlyMap<number, number>,
  { provider, deadLetters }: Pick<SandboxState, 'provider' | 'deadLetters'>,
  { judgesSpeed }: Pick<SoakSize, 'judgesSpeed'>,
): PartReport => {
  const isFailed = (status: number): boolean => status === 401 || status === 500 || (judgesSpeed && isSlow(status));
  const accounts = Object.values(provider);
  const polls = accounts.reduce((sum, { requests }) => sum + requests, 0);
  const posts = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const offences = accounts.reduce((sum, account) => sum + account.overLimit, 0);

  return {
    figures: [
      { what: 'posts', value: posts },
      { what: 'polls', value: polls },
    ],
    failures: [
      ...(posts === 0 ? ['Nothing was posted.'] : []),
      ...(polls === 0 ? ['The agents were never polled.'] : []),
      ...[...answers].flatMap(([status, count]) =>
        isFailed(status) ? [`${count} posts were answered ${status || 'not at all'}.`] : [],
      ),
      ...(offences > 0 ? [`The service's limit was exceeded ${offences} times.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} parked records became dead letters.`] : []),
    ],
  };
};

/** How long it goes on, at which rate, and what counts as flat. */
export interface SoakSize {
  readonly seconds: number;
  /** What is loaded, compiled and filled up in this time is no leak. */
  readonly warmUpSeconds: number;
  readonly sampleSeconds: number;
  /** Posts a second, beside those of the simulated contact centre. */
  readonly rate: number;
  /** What is judged: growth from the end of the warm-up to the end that is taken for none, whatever the noise. */
  readonly allowed: Readonly<Partial<Record<Series['name'], number>>>;
  /** Whether being too slow to take a post counts as a failure. */
  readonly judgesSpeed: boolean;
}

/** The sizes of this part. In the quick one other tests run beside it, so that nothing is said of speed, nor of connections that
 * wait. */
export const soakSizes: Readonly<Record<PartOptions['size'], SoakSize>> = {
  quick: {
    seconds: 15,
    warmUpSeconds: 5,
    sampleSeconds: 1.5,
    rate: 4,
    allowed: { heap: 12, rss: 150, timers: 100 },
    judgesSpeed: false,
  },
  full: {
    seconds: 600,
    warmUpSeconds: 120,
    sampleSeconds: 5,
    rate: 10,
    // The publisher remembers what it has told of late, some 2.5 MB when it forgets all of it and begins anew.
    allowed: { heap: 4, rss: 32, timers: 20, resources: 20, files: 20, reply: 10, lag: 100 },
    judgesSpeed: true,
  },
};
