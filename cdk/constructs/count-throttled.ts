import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type LoggedMetric, metricDimension, metricNamespace } from '../../lib/metrics.ts';

const metricName: LoggedMetric = 'CallbacksThrottled';

/**
 * Counts in the API's log the requests that API Gateway refused, as they came faster than the throttle lets through. No
 * function sees them. The status is a text there, and the deployment a field of the line.
 */
export const countThrottled = (scope: Construct, id: string, logGroup: ILogGroup): MetricFilter =>
  new MetricFilter(scope, id, {
    logGroup,
    metricName,
    metricNamespace,
    metricValue: '1',
    unit: Unit.COUNT,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    dimensions: { [metricDimension]: `$.${metricDimension}` },
  });
