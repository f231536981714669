import { describe, expect, it } from 'vitest';
import { agentsTable, callsTable } from '../../../lib/schema/tables.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only, someOf } from '../support/template.ts';

const { template } = synthesise();
const parking = only(template, 'AWS::SQS::Queue', 'ParkingQueue');
const hoursOfTrying = (parking['VisibilityTimeout'] * parking['RedrivePolicy'].maxReceiveCount) / 3600;

describe('the parking queue', () => {
  it('tries for a day before it sets a callback aside: an outage must not look like a bad message', () => {
    expect(hoursOfTrying).toBe(24);
    expect(nameOf(parking['RedrivePolicy'].deadLetterTargetArn)).toBe('ParkingDeadLetters.Arn');
  });

  it('hides a message for six times as long as one run of recovery may take', () => {
    const { Timeout } = only(template, 'AWS::Lambda::Function', 'RecoverCallbacks');

    expect(parking['VisibilityTimeout']).toBe(6 * Timeout);
  });

  it('takes the largest message that SQS carries', () => {
    expect(parking['MaximumMessageSize']).toBe(1024 * 1024);
  });

  it('is emptied in small, separately reported batches that do not push over the table', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping', 'RecoverCallbacks')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^CallfeedParkingQueue/), 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });
});

describe('every queue', () => {
  it.each(someOf(template, 'AWS::SQS::Queue'))(
    '%s keeps its messages for 14 days, if they are not ticks',
    (id, queue) => {
      const seconds = id.includes('Ticks') ? 135 : 14 * 24 * 3600;

      expect(queue).toMatchObject({ MessageRetentionPeriod: seconds });
      expect(queue).not.toHaveProperty('QueueName');
    },
  );
});

describe.each([
  ['Calls', callsTable],
  ['Agents', agentsTable],
])('the stream of %s', (name, { published }) => {
  const subscription = only(template, 'AWS::Lambda::EventSourceMapping', `PublishChangesServiceFunction${name}`);

  it('is published from its beginning, in batches of which single rows can fail', () => {
    expect(subscription).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 4,
    });
    expect(nameOf(subscription['EventSourceArn'])).toBe(`${name}.StreamArn`);
  });

  it('is published where a row of a published kind is new or changed, and nowhere else', () => {
    const patterns = subscription['FilterCriteria'].Filters.map(({ Pattern }: { Pattern: string }) =>
      JSON.parse(Pattern),
    );

    expect(patterns).toEqual([{ dynamodb: { NewImage: { kind: { S: published } } } }]);
    expect(published.length).toBeGreaterThan(0);
  });

  it('is tried without a limit of attempts until shortly before the stream drops the record, then set aside', () => {
    expect(subscription).not.toHaveProperty('MaximumRetryAttempts');
    expect(subscription['MaximumRecordAgeInSeconds']).toBe(23 * 3600);
    expect(nameOf(subscription['DestinationConfig'].OnFailure.Destination)).toBe('PublishChangesUnpublished.Arn');
  });

  it('has what was set aside counted, for the alarm', () => {
    expect(subscription['MetricsConfig']).toEqual({ Metrics: ['EventCount'] });
  });
});

describe('what was set aside', () => {
  const bucket = only(template, 'AWS::S3::Bucket', 'PublishChangesUnpublished');

  it('is kept for 28 days, in a bucket that nobody else can be let into', () => {
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
