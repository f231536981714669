import { describe, expect, it } from 'vitest';
import { watchedMetrics } from '../monitoring/watched-metrics.ts';
import { configurations, switchedOn } from '../support/configurations.ts';
import { deployed, isAllowed } from '../support/simulate.ts';
import { nameOf, type Properties, plain, propertiesOf, someOf, statementsOf, synthesise } from '../support/template.ts';

/*
 * What holds for every role, queue, rule and mapping, whatever it is called: they are listed from the template, with everything on,
 * without and with a key, so that a new one cannot be forgotten.
 */

const env = { account: '111122223333', region: 'eu-west-1' };

describe.each([
  ['everything', configurations.everything],
  ['everything without a key', { ...switchedOn, dashboard: 'on' }],
] as const)('with %s', (_what, context) => {
  const { template } = synthesise({ context });
  const queues = propertiesOf(template, 'AWS::SQS::Queue');
  const idOf = (arn: unknown): string => nameOf(arn).replace(/\.Arn$/, '');
  const queueOf = (arn: unknown): readonly [id: string, queue: Properties] => {
    const found = Object.entries(queues).find(([id]) => plain(id) === idOf(arn));
    if (found === undefined) throw new Error(`${nameOf(arn)} is no queue`);
    return found;
  };

  const targets = someOf(template, 'AWS::Events::Rule').flatMap(([rule, { Targets }]) =>
    Targets.map((target: Properties) => ({ rule, target })),
  );
  const mappings = someOf(template, 'AWS::Lambda::EventSourceMapping');
  const ofQueues = mappings.filter(([, { EventSourceArn }]) => idOf(EventSourceArn) in plainQueues(queues));
  /** Where each queue, rule and bus sends what nobody could process. */
  const deadLetterTargets: readonly (readonly [from: string, arn: unknown])[] = [
    ...Object.entries(queues).flatMap(([id, { RedrivePolicy }]) =>
      RedrivePolicy === undefined ? [] : [[id, RedrivePolicy.deadLetterTargetArn] as const],
    ),
    ...targets.map(({ rule, target }) => [rule, target.DeadLetterConfig?.Arn] as const),
    ...someOf(template, 'AWS::Events::EventBus').flatMap(([bus, { DeadLetterConfig }]) =>
      DeadLetterConfig === undefined ? [] : [[bus, DeadLetterConfig.Arn] as const],
    ),
  ];

  /** Whether EventBridge may send to a queue for a rule or a bus: by the queue's policy, and without a key of the customer's. */
  const maySend = (source: string, arn: unknown) => {
    const [id] = queueOf(arn);
    const [, policy = {}] =
      someOf(template, 'AWS::SQS::QueuePolicy').find(([, { Queues }]) => JSON.stringify(Queues).includes(`"${id}"`)) ??
      [];
    return isAllowed({
      principal: 'events.amazonaws.com',
      action: 'sqs:SendMessage',
      resource: `arn:aws:sqs:${env.region}:${env.account}:${id}`,
      resourcePolicy: deployed(template, env, policy['PolicyDocument']),
      context: {
        'aws:SourceArn': String(deployed(template, env, { 'Fn::GetAtt': [source, 'Arn'] })),
        'aws:SecureTransport': 'true',
      },
    });
  };

  it.each(someOf(template, 'AWS::IAM::Role'))('%s can be assumed for this account only', (_id, role) => {
    for (const { Principal, Condition } of statementsOf({ PolicyDocument: role['AssumeRolePolicyDocument'] })) {
      const service: string = Object(Principal).Service;
      // Lambda assumes the role that whoever makes the function may pass on.
      if (service !== 'lambda.amazonaws.com')
        expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
    }
  });

  it.each(someOf(template, 'AWS::IAM::Role'))('%s has its rights from policies of the stack alone', (_id, role) => {
    expect(role).not.toHaveProperty('ManagedPolicyArns');
    expect(role).not.toHaveProperty('Policies');
  });

  it.each(someOf(template, 'AWS::KinesisFirehose::DeliveryStream'))(
    'the role of the stream %s may invoke the function of the stream, with a version and without',
    async (_id, { ExtendedS3DestinationConfiguration: { RoleARN, ProcessingConfiguration } }) => {
      const [{ Parameters }] = ProcessingConfiguration.Processors;
      const { ParameterValue } = Parameters.find(({ ParameterName }: Properties) => ParameterName === 'LambdaArn');
      const arn = String(deployed(template, env, ParameterValue));
      const [, policy = {}] =
        someOf(template, 'AWS::IAM::Policy').find(([, { Roles }]) => nameOf(Roles[0]) === `${idOf(RoleARN)}.Ref`) ?? [];
      const mayInvoke = (resource: string) =>
        isAllowed({
          principal: `arn:aws:iam::${env.account}:role/firehose`,
          action: 'lambda:InvokeFunction',
          resource,
          identityPolicy: deployed(template, env, policy['PolicyDocument']),
        });

      for (const invoked of [arn, `${arn}:$LATEST`]) expect(await mayInvoke(invoked)).toBe(true);
      expect(await mayInvoke(`${arn}2`)).toBe(false);
    },
  );

  it.each(someOf(template, 'AWS::S3::Bucket'))('the bucket %s blocks public access', (_id, bucket) => {
    expect(bucket).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
  });

  const namedTargets = targets.map(({ rule, target }) => [plain(rule), rule, target] as const);

  it.each(namedTargets)('the rule %s may send to its target, or has a role', async (_name, rule, target) => {
    expect(target.RoleArn !== undefined || (await maySend(rule, target.Arn))).toBe(true);
  });

  it.each(namedTargets)('the rule %s keeps what it cannot send', (_name, _rule, target) => {
    expect(target.DeadLetterConfig).toBeDefined();
  });

  it.each(deadLetterTargets)('the dead letters of %s are kept for 14 days, in a queue that takes them', (from, arn) => {
    const [, queue] = queueOf(arn);

    expect(queue['MessageRetentionPeriod']).toBe(14 * 86_400);
    expect(queue).not.toHaveProperty('RedrivePolicy');
    expect(queue).not.toHaveProperty('QueueName');
    if (from in queues) expect(queue['FifoQueue']).toBe(queues[from]?.['FifoQueue']);
  });

  it.each(deadLetterTargets.filter(([from]) => !(from in queues)))(
    'EventBridge may send the dead letters of %s to their queue, and those of another rule not',
    async (from, arn) => {
      const [, queue] = queueOf(arn);
      const others = targets.filter(({ target }) => nameOf(target.DeadLetterConfig.Arn) !== nameOf(arn));

      expect(queue['SqsManagedSseEnabled']).toBe(true);
      expect(await maySend(from, arn)).toBe(true);
      for (const { rule } of others.slice(0, 1)) expect(await maySend(rule, arn)).toBe(false);
    },
  );

  it.each(deadLetterTargets)('the dead letters of %s have one alarm', (_from, arn) => {
    const [id] = queueOf(arn);
    const watched = someOf(template, 'AWS::CloudWatch::Alarm').filter(
      ([, { MetricName, Dimensions, Metrics }]) =>
        (MetricName ?? JSON.stringify(Metrics)).includes('ApproximateNumberOfMessagesVisible') &&
        JSON.stringify(Dimensions ?? Metrics).includes(`"${id}"`),
    );

    expect(watched).toHaveLength(1);
  });

  it.each(ofQueues)('%s reads a queue with dead letters, or one that goes with the stack', (_id, mapping) => {
    const [id, queue] = queueOf(mapping['EventSourceArn']);
    const { DeletionPolicy } = template.findResources('AWS::SQS::Queue')[id] ?? {};

    expect(mapping['FunctionResponseTypes']).toEqual(['ReportBatchItemFailures']);
    expect(queue).not.toHaveProperty('QueueName');
    expect('RedrivePolicy' in queue || DeletionPolicy === 'Delete').toBe(true);
  });

  it('no stream has more than the two readers that DynamoDB allows', () => {
    const streams = mappings
      .map(([, { EventSourceArn }]) => nameOf(EventSourceArn))
      .filter((arn) => /Stream/.test(arn));
    const readers = Map.groupBy(streams, (arn) => arn);

    expect(readers.size).toBe(2);
    for (const of of readers.values()) expect(of.length).toBeLessThanOrEqual(2);
  });

  it('no function reads an index, which may lag behind what was written', () => {
    const resources = someOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) =>
      statementsOf(policy).flatMap(({ Resource }) => [Resource].flat().map(nameOf)),
    );

    expect(resources).toContain('Calls.Arn');
    expect(resources.filter((resource) => resource.includes('/index/'))).toEqual([]);
  });

  it('there are dead letters of every kind', () => {
    expect(deadLetterTargets.length).toBeGreaterThanOrEqual(6);
    expect(targets.length).toBeGreaterThanOrEqual(3);
    expect(ofQueues).toHaveLength(5);
  });
});

describe.each(Object.entries({ ...configurations, 'everything without a key': switchedOn }))(
  'with %s',
  (_what, context) => {
    const { template } = synthesise({ context });

    it.each(
      someOf(template, 'AWS::SQS::Queue').filter(
        ([, { MessageRetentionPeriod }]) => MessageRetentionPeriod === 14 * 86_400,
      ),
    )('an alarm is raised for what waits in the queue %s, which holds data', (id) => {
      const watching = someOf(template, 'AWS::CloudWatch::Alarm').filter(([, alarm]) => {
        const metrics = Object.values(watchedMetrics(alarm));
        return metrics.some(
          ({ metric, dimensions }) =>
            metric === 'ApproximateNumberOfMessagesVisible' && dimensions['QueueName'] === `${plain(id)}.QueueName`,
        );
      });

      expect(watching).toHaveLength(1);
    });
  },
);

const plainQueues = (queues: Readonly<Record<string, Properties>>): Readonly<Record<string, Properties>> =>
  Object.fromEntries(Object.entries(queues).map(([id, queue]) => [plain(id), queue]));
