import { unitOf } from '../../lib/telemetry/metrics.ts';

/** A line of a function's log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Metrics: readonly { readonly Name: string }[];
}

const metricNames = ({ _aws }: LogLine): readonly string[] => {
  const directives: readonly Directive[] = Object(_aws).CloudWatchMetrics ?? [];
  return directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
};

/** The values of each metric in these lines, in order, as CloudWatch reads them. */
export const metricValues = (lines: readonly LogLine[]): Readonly<Record<string, readonly number[]>> => {
  const values: Record<string, number[]> = {};
  for (const line of lines)
    for (const name of metricNames(line)) values[name] = [...(values[name] ?? []), ...[line[name]].flat().map(Number)];
  return values;
};

/** The sums of the counters in these lines; the last value of a metric of another unit. */
export const metricTotals = (lines: readonly LogLine[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(metricValues(lines)).map(([name, values]) => [
      name,
      unitOf(name as never) === 'Count' ? values.reduce((sum, value) => sum + value, 0) : (values.at(-1) ?? 0),
    ]),
  );
