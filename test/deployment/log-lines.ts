import { metrics } from '../../lib/telemetry/metrics.ts';
import { sentinelToken } from '../fixtures/accounts.ts';
import { decompressed } from '../support/posted-records.ts';

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
      metrics[name as keyof typeof metrics] === 'Count'
        ? values.reduce((sum, value) => sum + value, 0)
        : (values.at(-1) ?? 0),
    ]),
  );

/** Fictitious people in fixtures, and the host of their recordings. No log may name them. */
const personal = /09000000\d|Asha|Ravi Nair|Meera|recordings\.example\.com/;

const keysOf = (account: unknown): readonly string[] => [Object(account).apiKeys ?? []].flat();

/** Notes keys where they must not be, and personal data in logs. `check` throws if there were any. */
export const leakCheck = (accounts: readonly unknown[]) => {
  const secrets = [...accounts.flatMap(keysOf), sentinelToken];
  const found: string[] = [];
  const note = (where: string, text: string): void => {
    const readable = decompressed(text);
    const secret = secrets.find((each) => readable.includes(each));
    if (secret !== undefined) found.push(`${where} holds ${secret}: ${readable.slice(0, 500)}`);
  };

  return {
    inRequest: (body: string) => note('A request to AWS', body),
    inReply: (body: string) => note('A reply', body),
    inLog(line: string) {
      note('A log line', line);
      if (personal.test(line)) found.push(`A log line names a person: ${line}`);
    },
    check() {
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  };
};
