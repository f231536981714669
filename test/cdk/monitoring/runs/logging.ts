import { movedClock } from '../../../lib/support/polled-floor.ts';
import type { Properties } from '../../resources.ts';
import { type Run, recorder } from '../datum.ts';
import type { Deployed } from '../fault.ts';

/** Requests that API Gateway answers by itself, with these statuses, a second after each other. */
export interface Logging {
  readonly deployed: Deployed;
  readonly statuses: readonly number[];
}

/** The API's log as its deployed format has it, and what CloudWatch counts in it by the deployed filter. */
export const logging = ({ deployed: { deployment, accessLog }, statuses }: Logging): Run => {
  const time = movedClock('2026-11-20T06:00:00.000Z');
  const { aws, run } = recorder(time.clock, deployment);
  const [{ MetricNamespace, MetricName, MetricValue, Dimensions }] = accessLog.filter['MetricTransformations'];

  for (const status of statuses) {
    const line: Properties = JSON.parse(
      accessLog.format.replaceAll(/\$context\.\w+/g, (variable) => (variable.endsWith('.status') ? `${status}` : '-')),
    );
    const dimensions = Dimensions.map(({ Key, Value }: Properties) => [Key, line[Value.replace('$.', '')]]);
    if (isFound(accessLog.filter['FilterPattern'], line))
      aws(MetricNamespace, MetricName, Object.fromEntries(dimensions), Number(MetricValue));
    time.advance(1_000);
  }
  return run();
};

/** A pattern of CloudWatch Logs, as far as ours go: a field that is the same as a text, or as a number. */
const isFound = (pattern: string, line: Properties): boolean => {
  const [, field = '', value] = /^\{ \$\.(\w+) = ("[^"]*"|\d+) \}$/.exec(pattern) ?? [];
  if (value === undefined) throw new Error(`No such pattern here: ${pattern}`);

  return line[field] === JSON.parse(value);
};
