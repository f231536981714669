import { describe, expect, it } from 'vitest';
import { agentsTable, callsTable } from '../../../lib/storage/tables.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only, someOf } from '../support/template.ts';

const { template } = synthesise();
const parking = only(template, 'AWS::SQS::Queue', 'ParkingQueue');
const hoursOfTrying = (parking['VisibilityTimeout'] * parking['RedrivePolicy'].maxReceiveCount) / 3600;

describe('the parking queue', () => {
  it('tries for a day before a callback becomes a dead letter: an outage is not a bad message', () => {
    expect(hoursOfTrying).toBe(24);
    expect(nameOf(parking['RedrivePolicy'].deadLetterTargetArn)).toBe('ParkingDeadLetters.Arn');
  });

  it('hides a message six times as long as a run of recovery may take', () => {
    const { Timeout } = only(template, 'AWS::Lambda::Function', 'RecoverCallbacks');

    expect(parking['VisibilityTimeout']).toBe(6 * Timeout);
  });

  it('accepts the largest message that SQS allows', () => {
    expect(parking['MaximumMessageSize']).toBe(1024 * 1024);
  });

  it('is processed in small batches with single failures, and few at once to spare the table', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping', 'RecoverCallbacks')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^CallfeedParkingQueue/), 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });
});

describe('every queue', () => {
  it.each(someOf(template, 'AWS::SQS::Queue'))('%s keeps its messages for 14 days, except for ticks', (id, queue) => {
    const seconds = id.includes('Ticks') ? 135 : 14 * 24 * 3600;

    expect(queue).toMatchObject({ MessageRetentionPeriod: seconds });
    expect(queue).not.toHaveProperty('QueueName');
  });
});

describe.each([
  ['Calls', callsTable],
  ['Agents', agentsTable],
])('the stream of %s', (name, { published }) => {
  const subscription = only(template, 'AWS::Lambda::EventSourceMapping', `PublishChangesServiceFunction${name}`);

  it('is read from its beginning, in batches in which single rows can fail', () => {
    expect(subscription).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 4,
    });
    expect(nameOf(subscription['EventSourceArn'])).toBe(`${name}.StreamArn`);
  });

  it('is filtered for new and changed rows of published kinds', () => {
    const patterns = subscription['FilterCriteria'].Filters.map(({ Pattern }: { Pattern: string }) =>
      JSON.parse(Pattern),
    );

    expect(patterns).toEqual([{ dynamodb: { NewImage: { kind: { S: published } } } }]);
    expect(published.length).toBeGreaterThan(0);
  });

  it('is retried until shortly before the stream drops the record, which then goes to the failed-changes bucket', () => {
    expect(subscription).not.toHaveProperty('MaximumRetryAttempts');
    expect(subscription['MaximumRecordAgeInSeconds']).toBe(23 * 3600);
    expect(nameOf(subscription['DestinationConfig'].OnFailure.Destination)).toBe('PublishChangesUnpublished.Arn');
  });

  it('counts failed changes, for the alarm', () => {
    expect(subscription['MetricsConfig']).toEqual({ Metrics: ['EventCount'] });
  });
});

describe('the failed-changes bucket', () => {
  const bucket = only(template, 'AWS::S3::Bucket', 'PublishChangesUnpublished');

  it('keeps objects for 28 days, and blocks public access', () => {
    expect(bucket['LifecycleConfiguration'].Rules).toMatchObject([{ ExpirationInDays: 28, Status: 'Enabled' }]);
    expect(bucket['PublicAccessBlockConfiguration']).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(bucket['OwnershipControls'].Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
  });
});
