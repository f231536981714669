import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionName } from '../../../functions/limits.ts';
import { eventTypes } from '../../../lib/contract/events.ts';
import { createTables } from '../../../sandbox/dynamodb/start-store.ts';
import { recordingMessageOf } from '../../../sandbox/features/recordings.ts';
import { createClosers } from '../../../sandbox/frame/lifecycle.ts';
import { sandboxTables } from '../../../sandbox/frame/local-aws.ts';
import { prepareFunctions } from '../../../sandbox/functions/functions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { configurations, switchedOn } from '../support/configurations.ts';
import { resourcesOf } from '../support/resources.ts';
import { nameOf, only, type Properties, plain, propertiesOf, synthesise } from '../support/template.ts';
import { functionName } from './logged-lines.ts';
import {
  agesSeen,
  crashHalvesBatch,
  type ObservedSandbox,
  observeSandbox,
  onlyFailedComesAgain,
} from './observed-sandbox.ts';

/*
 * The sandbox beside the template: each event source is in both, and is read in the same way. Where the sandbox is another on
 * purpose, it is so in the list below, and in nothing else.
 */

const { template } = synthesise({ context: configurations.everything });
const mappings = Object.entries(propertiesOf(template, 'AWS::Lambda::EventSourceMapping'));
const fortnight = 14 * 86_400;

/** What the sandbox does otherwise, so that somebody who watches it does not wait (docs/sandbox.md). */
const otherwise: Readonly<Record<string, Partial<Source>>> = {
  // After the same time, as it is tried more often.
  'recover-callbacks from ParkingQueue': { visibilitySeconds: 2, maxReceiveCount: 43_200 },
  'forward-deliveries from ForwardingQueue': { visibilitySeconds: 2 },
  'archive-recordings from RecordingsQueue': { visibilitySeconds: 2 },
  // Its own schedule begins runs and goes on with none, so no message may be lost. A step is tried again when its run has ended.
  'reconcile-calls from ReconciliationQueue': { visibilitySeconds: 60, retentionSeconds: fortnight },
};

/** How a function reads a source, in the template or in the sandbox. */
interface Source {
  readonly batchSize: number;
  readonly reportsFailures: boolean;
  readonly batchingWindowSeconds: number;
  /** Of a stream. */
  readonly kinds?: readonly string[];
  readonly startingPosition?: string;
  readonly halvedByCrash?: boolean;
  /** The ages of the changes that are not given up. */
  readonly agesSeconds?: readonly number[];
  /** Of a queue. */
  readonly visibilitySeconds?: number;
  readonly retentionSeconds?: number;
  readonly deadLetters?: string;
  readonly maxReceiveCount?: number;
}

/** The name by which the outputs of the stack have a queue, such as `ParkingQueue` for `ParkingQueueUrl`. */
const namesOfQueues = new Map(
  Object.entries(template.findOutputs('*'))
    .filter(([, { Value }]) => resourcesOf(template)[Value.Ref]?.Type === 'AWS::SQS::Queue')
    .map(([name, { Value }]) => [plain(Value.Ref), name.replace(/Url$/, '')]),
);

const queueName = (arn: unknown): string => namesOfQueues.get(nameOf(arn).replace(/\.Arn$/, '')) ?? nameOf(arn);

/** Of changes that are new, and older or less old than any stream gives them up. */
const agesSeconds = [
  0,
  ...new Set(
    mappings.flatMap(([, { MaximumRecordAgeInSeconds: most }]) =>
      most === undefined ? [] : [most - 1_800, most + 60],
    ),
  ),
].toSorted((one, other) => one - other);

const deployedSource = (mapping: Properties): readonly [string, Source] => {
  const { FunctionName, EventSourceArn, BatchSize, FunctionResponseTypes = [], FilterCriteria } = mapping;
  const [id = ''] = EventSourceArn['Fn::GetAtt'];
  const common = {
    batchSize: BatchSize,
    reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
    batchingWindowSeconds: mapping['MaximumBatchingWindowInSeconds'] ?? 0,
  };
  const name = functionName(FunctionName.Ref);
  const { Type, Properties: queue = {} } = resourcesOf(template)[id] ?? {};
  if (Type !== 'AWS::SQS::Queue') {
    const [{ Pattern = '{}' } = {}] = FilterCriteria?.Filters ?? [];
    const kinds: readonly string[] = JSON.parse(Pattern).dynamodb.NewImage.kind.S;
    const startingPosition = mapping['StartingPosition'];
    return [
      `${name} from ${plain(id)}`,
      {
        ...common,
        kinds: kinds.toSorted(),
        startingPosition,
        halvedByCrash: mapping['BisectBatchOnFunctionError'] === true,
        agesSeconds: agesSeconds.filter((age) => age <= (mapping['MaximumRecordAgeInSeconds'] ?? age)),
      },
    ];
  }
  const { RedrivePolicy: redrive } = queue;
  return [
    `${name} from ${queueName(EventSourceArn)}`,
    {
      ...common,
      visibilitySeconds: queue['VisibilityTimeout'],
      retentionSeconds: queue['MessageRetentionPeriod'],
      ...(redrive && {
        deadLetters: queueName(redrive.deadLetterTargetArn),
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    },
  ];
};

const deployed = mappings.map(([, mapping]) => deployedSource(mapping));
const kinds = [...new Set(deployed.flatMap(([, source]) => source.kinds ?? [])), 'a kind that nobody reads'];
const held = { kinds, agesSeconds };

let observed: ObservedSandbox;
let seen: readonly (readonly [string, Source])[];
const closers = createClosers();
beforeAll(async () => {
  observed = await observeSandbox(held);
  seen = await Promise.all(observed.sources.map(observedSource));
});
afterAll(async () => {
  await observed.stop();
  await closers.closeAll();
});

/** `ParkingDeadLetters` for the address `deadLettersQueue`, and `ForwardingDeadLetters` for `forwardingDeadLettersQueue`. */
const nameOfAddress = (address: string): string =>
  (address === 'deadLettersQueue' ? 'parkingDeadLettersQueue' : address)
    .replace(/^[a-z]/, (first) => first.toUpperCase())
    .replace(/DeadLettersQueue$/, 'DeadLetters');

const queueOf = (arn: string) => observed.queues.find(({ attributes }) => attributes['QueueArn'] === arn);

const observedSource = async (source: ObservedSandbox['sources'][number]): Promise<readonly [string, Source]> => {
  const { name, arn, runs } = source;
  const common = {
    reportsFailures: await onlyFailedComesAgain(observed, source),
    // It reads as soon as there is something.
    batchingWindowSeconds: 0,
  };
  const queue = queueOf(arn);
  if (queue === undefined) {
    const reads = observed.reads.filter((read) => read.arn === arn);
    const [, table = ''] = /table\/(\w+)\//.exec(arn) ?? [];
    const seen = new Set(runs.flat().map(({ dynamodb }) => dynamodb?.NewImage?.kind.S ?? 'a deletion'));
    return [
      `${name} from ${table.replace(/^[a-z]/, (first) => first.toUpperCase())}`,
      {
        ...common,
        batchSize: Math.max(...reads.map(({ limit = 0 }) => limit)),
        kinds: [...seen].toSorted(),
        startingPosition: [...new Set(reads.flatMap(({ position = [] }) => position))].join(),
        halvedByCrash: crashHalvesBatch(source),
        agesSeconds: agesSeen(held, source),
      },
    ];
  }
  const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = queue.attributes;
  const redrive = RedrivePolicy === undefined ? undefined : JSON.parse(RedrivePolicy);
  return [
    `${name} from ${nameOfAddress(queue.name)}`,
    {
      ...common,
      batchSize: Math.max(...runs.map((records) => records.length)),
      visibilitySeconds: Number(VisibilityTimeout),
      retentionSeconds: Number(MessageRetentionPeriod),
      ...(redrive && {
        deadLetters: nameOfAddress(queueOf(redrive.deadLetterTargetArn)?.name ?? 'none'),
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    },
  ];
};

it('the sandbox reads each event source of the stack, and no other, as Lambda would', () => {
  const expected = deployed.map(([name, source]) => [name, { ...source, ...otherwise[name] }] as const);

  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
  expect(seen).toHaveLength(deployed.length);
  expect(observed.sources.map(({ mostAtOnce }) => mostAtOnce)).toEqual(seen.map(() => 1));
  expect(Object.keys(otherwise).filter((name) => !deployed.some(([other]) => other === name))).toEqual([]);
});

it('the sandbox makes the tables of the stack, with their keys, indexes, streams and the time at which rows expire', async () => {
  const requests: Properties[] = [];
  const send = async ({ input }: { readonly input: Properties }) => void requests.push(input);
  await createTables({ send } as unknown as DynamoDBClient, sandboxTables);
  const made = Map.groupBy(requests, ({ TableName }) => TableName);
  const described = ({ AttributeDefinitions, GlobalSecondaryIndexes = [], ...table }: Properties) => ({
    keys: table['KeySchema'],
    attributes: AttributeDefinitions.map(
      ({ AttributeName, AttributeType }: Properties) => `${AttributeName} ${AttributeType}`,
    ).sort(),
    indexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }: Properties) => ({
      IndexName,
      KeySchema,
      Projection,
    })),
    stream: table['StreamSpecification']?.StreamViewType,
    expiry: table['TimeToLiveSpecification'],
  });

  const tables = Object.entries(propertiesOf(template, 'AWS::DynamoDB::GlobalTable'));
  expect(Object.fromEntries([...made].map(([name, all]) => [name, described(Object.assign({}, ...all))]))).toEqual(
    Object.fromEntries(tables.map(([id, table]) => [`callfeed-${plain(id).toLowerCase()}`, described(table)])),
  );
});

it('the sandbox’s schedule sends the ticks of the stack’s, each delayed to its slot', async () => {
  const { Target } = only(template, 'AWS::Scheduler::Schedule', 'PollAgentsEveryMinute');
  const [before, , after] = Target.Input['Fn::Join'][1];
  const { Entries } = JSON.parse(`${before}any queue${after}`);
  const delayed = Entries.filter(({ DelaySeconds }: Properties) => DelaySeconds > 0);
  const { url } = observed.queues.find(({ name }) => name === 'tickQueue') ?? expect.unreachable();
  observed.startTicks();

  const inQueue = async () => Number((await observed.attributesOf(url))['ApproximateNumberOfMessagesDelayed']);
  await expect.poll(inQueue).toBe(delayed.length);
});

it('a parked call is given up after as long in the sandbox', () => {
  const [name, { visibilitySeconds = 0, maxReceiveCount = 0 }] =
    deployed.find(([source]) => source.startsWith('recover-callbacks')) ?? expect.unreachable();
  const sandbox = otherwise[name] ?? expect.unreachable();

  expect((sandbox.visibilitySeconds ?? 0) * (sandbox.maxReceiveCount ?? 0)).toBe(visibilitySeconds * maxReceiveCount);
});

/** Whether EventBridge matches an event: each named field has one of the values, and of `$or` one pattern matches. */
const matches = (pattern: Properties, event: Properties): boolean =>
  Object.entries(pattern).every(([field, wanted]) => {
    if (field === '$or') return wanted.some((one: Properties) => matches(one, event));
    if (!Array.isArray(wanted)) return matches(wanted, Object(event[field]));
    return wanted.some((one) => (one.exists === undefined ? one === event[field] : field in event === one.exists));
  });

describe('an event makes a message for archiving in the sandbox as it does by the rule:', () => {
  const { EventPattern } = only(template, 'AWS::Events::Rule', 'ArchiveRecordingsRule');
  const withFields = synthesise({ context: { ...switchedOn } }).template;
  const pattern = only(withFields, 'AWS::Events::Rule', 'ArchiveRecordingsRule')['EventPattern'];
  const details = [
    { call: { recordings: ['any'] } },
    { call: { conferenceRecordings: ['any'] } },
    { participant: { recordings: ['any'] } },
    { call: { status: 'answered' } },
  ];
  const events = eventTypes.flatMap((type) => details.map((detail) => [type, detail] as const));

  it.each(events)('%s of %j', (type, detail) => {
    const event = { 'detail-type': type, source: 'callfeed', detail: { account: 'demo', callId: '1', ...detail } };
    const ofBus = { version: '0' as const, id: '1', account: '1', time: '', region: 'local', resources: [], ...event };

    expect(recordingMessageOf(ofBus) !== undefined).toBe(matches(pattern, event));
    // Without personal fields it cannot be seen which call has recordings.
    if (matches(pattern, event)) expect(matches(EventPattern, event)).toBe(true);
  });
});

/**
 * What the sandbox does not have: more than one run at a time for a source, and a bucket for changes that are given up.
 */
const leftOut = ['DestinationConfig', 'MetricsConfig', 'ParallelizationFactor', 'ScalingConfig'];
const compared = [
  ...['BatchSize', 'EventSourceArn', 'FilterCriteria', 'FunctionName', 'FunctionResponseTypes', 'StartingPosition'],
  ...['BisectBatchOnFunctionError', 'MaximumBatchingWindowInSeconds', 'MaximumRecordAgeInSeconds'],
];

it.each(mappings)('nothing of %s is neither compared nor left out on purpose', (_id, mapping) => {
  const known = [...compared, ...leftOut];

  expect(Object.keys(mapping).filter((property) => !known.includes(property))).toEqual([]);
});

describe('a function runs in the sandbox', () => {
  const functions = Object.entries(propertiesOf(template, 'AWS::Lambda::Function'));
  const handler =
    'export const handler = async (_event: unknown, context: { memoryLimitInMB: string; getRemainingTimeInMillis(): number }) =>\n' +
    '  ({ memory: Number(context.memoryLimitInMB), seconds: Math.ceil(context.getRemainingTimeInMillis() / 1000) });\n';

  it.each(functions)('with the memory and for as long as %s', async (id, { MemorySize, Timeout }) => {
    const name = functionName(id) as FunctionName;
    const { path } = temporaryFolder('functions');
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'index.ts'), handler);
    const loaded = prepareFunctions(pathToFileURL(`${path}/`), () => undefined, closers);
    const invoke = loaded.use(name);
    await loaded.load({});

    expect(await invoke({})).toEqual({ memory: MemorySize, seconds: Timeout });
  });
});
