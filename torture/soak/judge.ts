import { flatness } from '../figures/flatness.ts';
import { percentile } from '../figures/percentile.ts';
import { rounded } from '../figures/rounded.ts';
import type { Figure, PartReport } from '../part.ts';
import { type Sample, type Series, series } from './series.ts';
import type { SoakSize } from './soak-sizes.ts';

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
