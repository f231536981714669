import type { FaultAnswers } from '../faults/faulty.ts';
import { type AwsJson, failure } from '../http/aws-json.ts';

const dynamodb: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

/** DynamoDB's own words for being over capacity, and for a fault on its side. */
export const dynamodbFaults: FaultAnswers = {
  throttle: failure(
    dynamodb,
    400,
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded.',
  ),
  error: failure(dynamodb, 500, 'InternalServerError', 'Internal server error'),
};
