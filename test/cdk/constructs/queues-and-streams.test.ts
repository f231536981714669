import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { maxRecordingReceives } from '../../../functions/archive-recordings/archive-recordings.ts';
import { maxForwardAttempts } from '../../../functions/forward-deliveries/forward-delivery.ts';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { agentsTable, callsTable, callsTableWithRecordings } from '../../../lib/storage/tables.ts';
import { configurations } from '../support/configurations.ts';
import { nameOf, only, permissionsIn, someOf, synthesise } from '../support/template.ts';

const templateWith = (context: Readonly<Record<string, string>>): Template => synthesise({ context }).template;
const plain = templateWith({});
const hourly = templateWith({ reconciliation: 'hourly' });
const daily = templateWith({ reconciliation: 'daily', agentPolling: 'off' });

const forwarding = templateWith({ forwarding: 'on' });
const forwardingFaster = templateWith({ forwarding: 'on', forwardingConcurrency: '200' });
const archive = { recordings: 'archive', recordingHosts: 'recordings.example.com' };
const recordings = templateWith(archive);
const recordingsSlower = templateWith({ ...archive, recordingConcurrency: '2' });

const days = 24 * 3_600;

/** An outage is not a bad message: what is parked is tried for a day before it becomes a dead letter. */
const parked = { MessageRetentionPeriod: 14 * days, MaximumMessageSize: 1024 * 1024 };
const parkedReceives = days / (6 * 60);
const forwarded = { size: 1, runs: 10, receives: maxForwardAttempts };
const archived = { size: 1, runs: 5, receives: maxRecordingReceives };

/**
 * Queues by their role. Only what is parked waits for days, and only a message that cannot be sent anew has dead letters: ticks and
 * messages of reconciliation go with the stack. A queue’s visibility timeout is `runs` times the time limit of its reader.
 */
it.each([
  ['ParkingQueue', 'RecoverCallbacks', hourly, parked, 6, { size: 10, runs: 10, receives: parkedReceives }],
  ['PollAgentsTicks', 'PollAgents', hourly, { MessageRetentionPeriod: tickLifeSeconds }, 1, { size: 10, runs: 2 }],
  ['ReconcileCallsQueue', 'ReconcileCalls', hourly, { MessageRetentionPeriod: 3_600 }, 6, { size: 1, runs: 5 }],
  ['ReconcileCallsQueue', 'ReconcileCalls', daily, { MessageRetentionPeriod: days }, 6, { size: 1, runs: 5 }],
  ['ForwardDeliveriesQueue', 'ForwardDeliveries', forwarding, { FifoQueue: true }, 6, forwarded],
  ['ForwardDeliveriesQueue', 'ForwardDeliveries', forwardingFaster, {}, 6, { ...forwarded, runs: 200 }],
  ['ArchiveRecordingsQueue', 'ArchiveRecordings', recordings, {}, 6, archived],
  ['ArchiveRecordingsQueue', 'ArchiveRecordings', recordingsSlower, {}, 6, { ...archived, runs: 2 }],
] as const)(
  'the queue %s is read by %s in batches, at most so often at once, and keeps its messages as long as they are of use',
  (...[name, reader, template, properties, timeouts, { size, runs, ...failing }]) => {
    const queue = only(template, 'AWS::SQS::Queue', name);
    const { Timeout } = only(template, 'AWS::Lambda::Function', reader);
    const receives = 'receives' in failing ? failing.receives : undefined;
    const [resource] = Object.values(template.findResources('AWS::SQS::Queue', { Properties: queue }));

    expect(queue).toMatchObject({ ...properties, VisibilityTimeout: timeouts * Timeout });
    expect(queue['RedrivePolicy']?.maxReceiveCount).toBe(receives);
    expect(resource?.['DeletionPolicy']).toBe(receives === undefined ? 'Delete' : 'RetainExceptOnCreate');
    expect(only(template, 'AWS::Lambda::EventSourceMapping', `${reader}ServiceFunctionSqs`)).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(`^Callfeed${name}`), 'Arn'] },
      BatchSize: size,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: runs },
    });
  },
);

const publishes = (template: Template, table: string) =>
  only(template, 'AWS::Lambda::EventSourceMapping', `PublishChangesServiceFunction${table}`);

/** A failed change is retried until shortly before the stream drops the record, which then goes to the bucket. */
it.each([
  ['Calls', plain, callsTable],
  ['Calls', recordings, callsTableWithRecordings],
  ['Agents', plain, agentsTable],
])(
  'the stream of %s is read from its beginning, for rows of published kinds, with single failures',
  (name, template, { published }) => {
    const { FilterCriteria, DestinationConfig, ...mapping } = publishes(template, name);

    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      ParallelizationFactor: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MetricsConfig: { Metrics: ['EventCount'] },
      MaximumRecordAgeInSeconds: 23 * 3600,
    });
    expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
    expect(nameOf(mapping['EventSourceArn'])).toBe(`${name}.StreamArn`);
    expect(nameOf(DestinationConfig.OnFailure.Destination)).toBe('PublishChangesUnpublished.Arn');
    expect(FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { dynamodb: { NewImage: { kind: { S: published } } } },
    ]);
    expect(published.length).toBeGreaterThan(0);
  },
);

it('forwarding reads the stream of Calls as the publisher does, and keeps what it cannot send in order', () => {
  const mapping = only(forwarding, 'AWS::Lambda::EventSourceMapping', 'ForwardDeliveriesServiceFunctionCalls');
  const publisher = publishes(forwarding, 'Calls');

  for (const same of ['EventSourceArn', 'FilterCriteria', 'BatchSize', 'StartingPosition', 'FunctionResponseTypes'])
    expect(mapping[same]).toEqual(publisher[same]);
  expect(only(forwarding, 'AWS::SQS::Queue', 'ForwardDeliveriesDeadLetters')['FifoQueue']).toBe(true);
});

it.each([
  ['failed changes', 'PublishChangesUnpublished', plain, 28],
  ['recordings', 'ArchiveRecordingsBucket', recordings, 730],
  ['recordings', 'ArchiveRecordingsBucket', templateWith({ ...archive, recordingRetentionDays: '90' }), 90],
] as const)(
  'the bucket of %s keeps objects as long as set, without versions',
  (_what, name, template, ExpirationInDays) => {
    expect(only(template, 'AWS::S3::Bucket', name)).not.toHaveProperty('VersioningConfiguration');
    expect(only(template, 'AWS::S3::Bucket', name)['LifecycleConfiguration']).toMatchObject({
      Rules: [{ ExpirationInDays, Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }],
    });
  },
);

it('exactly the functions that may send to a queue that they serve may go on with a chain of their messages', () => {
  const { template } = synthesise({ context: configurations.everything });
  const sends = new Set(
    someOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) =>
      policy['Roles'].flatMap((role: unknown) =>
        permissionsIn(policy).map((permission) => `${nameOf(role)} ${permission}`),
      ),
    ),
  );
  const functions = Object.fromEntries(someOf(template, 'AWS::Lambda::Function'));
  const feedsItself = someOf(template, 'AWS::Lambda::EventSourceMapping').flatMap(
    ([, { FunctionName, EventSourceArn }]) => {
      const id: string = FunctionName.Ref;
      const role = nameOf({ Ref: functions[id]?.['Role']['Fn::GetAtt'][0] });
      return sends.has(`${role} sqs:SendMessage on ${nameOf(EventSourceArn)}`) ? [id] : [];
    },
  );
  const allowed = Object.entries(functions).filter(([, { RecursiveLoop }]) => RecursiveLoop !== undefined);

  expect(feedsItself).toHaveLength(2);
  expect(allowed.map(([id, { RecursiveLoop }]) => [id, RecursiveLoop]).toSorted()).toEqual(
    feedsItself.map((id) => [id, 'Allow']).toSorted(),
  );
});

it.each([
  ['by default', {}, /at most (\d+) by default/],
  ['with everything switched on', configurations.everything, /and (\d+) with everything switched on/],
])(
  'the functions behind queues and streams run as often at once %s as docs/deploying.md says',
  (_what, context, stated) => {
    // An on-demand table begins with four partitions, each with a shard of the stream.
    const shards = 4;
    const runs = someOf(synthesise({ context }).template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { ScalingConfig, ParallelizationFactor = 1 }]) =>
        ScalingConfig?.MaximumConcurrency ?? shards * ParallelizationFactor,
    );
    const [, most] = stated.exec(readFileSync('docs/deploying.md', 'utf8')) ?? [];

    expect(runs.reduce((sum, each) => sum + each, 0)).toBe(Number(most));
  },
);

const begin = { MessageBody: '{"kind":"all"}' };

const exists = [{ exists: true }];
const mayHaveSome = [{ call: { recordings: exists } }, { call: { conferenceRecordings: exists } }];

it.each([
  ['keep', { $or: [...mayHaveSome, { participant: { recordings: exists } }] }],
  ['leave-out', undefined],
] as const)(
  'the rule of recordings with personalFieldsInEvents=%s selects calls that may have some, and names them',
  (personal, detail) => {
    const template = templateWith({
      recordings: 'archive',
      recordingHosts: 'recordings.example.com',
      personalFieldsInEvents: personal,
    });
    const { EventPattern, Targets } = only(template, 'AWS::Events::Rule', 'ArchiveRecordingsRule');

    expect(EventPattern).toEqual({
      source: ['callfeed'],
      'detail-type': ['Call Summary Recorded', 'Call Summary Revised', 'Call Participant Recorded'],
      ...(detail && { detail }),
    });
    expect(Targets).toEqual([
      expect.objectContaining({
        InputTransformer: {
          InputPathsMap: { 'detail-account': '$.detail.account', 'detail-callId': '$.detail.callId' },
          InputTemplate: '{"account":<detail-account>,"callId":<detail-callId>}',
        },
      }),
    ]);
    expect(nameOf(Targets[0].Arn)).toBe('ArchiveRecordingsQueue.Arn');
    expect(nameOf(Targets[0].DeadLetterConfig.Arn)).toBe('ArchiveRecordingsDeadLetters.Arn');
  },
);

/** A schedule sends to a queue what the function is to do: ticks of two minutes, each delayed to its slot, or one message. */
it.each([
  ['PollAgentsEveryMinute', hourly, 'rate(1 minute)', 'PollAgentsTicks', 'sendMessageBatch', { Entries: tickEntries }],
  ['ReconcileCalls', hourly, 'cron(17 * * * ? *)', 'ReconcileCallsQueue', 'sendMessage', begin],
  ['ReconcileCalls', daily, 'cron(30 5 * * ? *)', 'ReconcileCallsQueue', 'sendMessage', begin],
] as const)('the schedule %s sends to its queue at its time', (name, template, expression, queue, action, sent) => {
  const { Target, ...schedule } = only(template, 'AWS::Scheduler::Schedule', name);
  const [before, queueUrl, after] = Target.Input['Fn::Join'][1];

  expect(schedule).toMatchObject({
    ScheduleExpression: expression,
    State: 'ENABLED',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ...(expression.startsWith('cron') && { ScheduleExpressionTimezone: 'Etc/UTC' }),
  });
  expect(JSON.stringify(Target.Arn)).toContain(`:scheduler:::aws-sdk:sqs:${action}"`);
  expect(nameOf(queueUrl)).toBe(`${queue}.Ref`);
  expect(JSON.parse(`${before}URL${after}`)).toEqual({ QueueUrl: 'URL', ...sent });
});

it('the schedule of ticks retries within the minute, and has no dead letters', () => {
  const { Target } = only(plain, 'AWS::Scheduler::Schedule', 'PollAgentsEveryMinute');

  expect(tickLifeSeconds).toBe(135);
  expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 });
  expect(Target).not.toHaveProperty('DeadLetterConfig');
});

it.each([
  ['hourly', hourly, 3 * 3_600],
  ['daily', daily, days],
])('with reconciliation=%s its alarms judge over the time in which the report is read', (_name, template, seconds) => {
  for (const name of ['CallbacksMissing', 'ReconciliationSilent'])
    expect(JSON.stringify(only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`))).toContain(
      `"Period":${seconds}`,
    );
  expect(nameOf(template.findOutputs('*')['ReconciliationQueueUrl']?.['Value'])).toBe('ReconcileCallsQueue.Ref');
});

const ofPolling = /^Callfeed(PollAgents|Monitoring(AgentsStale|CallbacksSilent))/;
const ofReconciliation = /^Callfeed(ReconcileCalls|Monitoring(CallbacksMissing|ReconciliationSilent))/;
const ofReconciliationAnywhere = /Reconcil|ReportCalls|ReportPages/;

/** The table of agents and its stream stay, so that polling can be switched on again. */
it.each([
  [
    'agentPolling=off',
    templateWith({ agentPolling: 'off' }),
    plain,
    ofPolling,
    /PollAgents|FeedAgeSeconds|CallbackSilenceSeconds/,
  ],
  ['no reconciliation', plain, hourly, ofReconciliation, ofReconciliationAnywhere],
  [
    'recordings=off',
    plain,
    recordings,
    /^Callfeed(ArchiveRecordings|MonitoringRecordings|SchemasCallRecording|StageParametersrecordings)/,
    /ArchiveRecordings|RecordingsArchived|RecordingArchived|RECORDING|recordings-bucket/,
  ],
  [
    'no analytics',
    plain,
    templateWith({ analytics: 'on' }),
    /^Callfeed(Monitoring)?Analytics/,
    /Analytics|firehose|glue|athena/i,
  ],
  ['no forwarding', plain, forwarding, /^Callfeed(ForwardDeliveries|MonitoringForwarding)/, /Forward(?!ed)/],
])(
  'a stack with %s lacks what belongs to it alone, its outputs too, and has all else unchanged',
  (...[_setting, without, template, ofPart, anywhere]) => {
    const resourcesOf = (of: Template): object => of.toJSON()['Resources'];
    /** Resources that show the part besides other things. */
    const isShared = (id: string) => /^Callfeed(MonitoringQueries|PublishChangesServiceFunctionCalls)/.test(id);
    const rest = Object.entries(resourcesOf(template)).filter(([id]) => !ofPart.test(id));

    expect(resourcesOf(without)).toEqual(
      Object.fromEntries(rest.map(([id, resource]) => [id, isShared(id) ? expect.anything() : resource])),
    );
    expect(JSON.stringify(without.toJSON())).not.toMatch(anywhere);
    expect(JSON.stringify(template.toJSON())).toMatch(anywhere);
  },
);
