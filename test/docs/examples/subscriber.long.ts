import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unmarshalled } from '../../../lib/storage/rows.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { localClient } from '../../../sandbox/local-aws.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { compile } from '../../package/support.ts';
import { demoCall, postCall, published, startScript } from '../../support/sandbox.ts';
import { matches } from '../contract/support/event-bridge.ts';
import { type SynthesisedExample, sandboxEnvironment, synthesisedExample } from './support/example-project.ts';

/** Compilers and CDK are slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const soon = { timeout: 60_000, interval: 50 };
const missed = { Status: 'NotAnswered', CallerID: '09000000044', AgentID: '' };
let subscriber: SynthesisedExample;

beforeAll(async () => {
  subscriber = await synthesisedExample('subscriber', 'missed-calls', { context: { stage: 'prod' } });
});

describe('the subscriber', () => {
  it('is of this version of the package, and compiles', async () => {
    const { dependencies } = JSON.parse(readFileSync(join(subscriber.project, 'package.json'), 'utf8'));

    expect(dependencies.callfeed).toBe(`file:../callfeed-${manifest.version}.tgz`);
    expect(await compile(subscriber.project)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('has a dead-letter queue for events that failed five times or cannot be delivered', () => {
    const { ofType } = subscriber;
    const policies = ofType('AWS::SQS::Queue').flatMap(({ RedrivePolicy }) => RedrivePolicy ?? []);
    const undelivered = ofType('AWS::Events::Rule').map(({ Targets }) => Targets[0].DeadLetterConfig?.Arn);

    expect(policies).toEqual([{ deadLetterTargetArn: expect.anything(), maxReceiveCount: 5 }]);
    expect(undelivered).toEqual([policies[0].deadLetterTargetArn, policies[0].deadLetterTargetArn]);
    expect(ofType('AWS::Lambda::EventSourceMapping')).toEqual([
      expect.objectContaining({ FunctionResponseTypes: ['ReportBatchItemFailures'] }),
    ]);
  });
});

describe('the subscriber, with events of the sandbox', () => {
  let sandbox: Sandbox;
  let dynamodb: DynamoDBClient;
  let events: readonly string[];

  const post = (callId: string, changes = {}) => postCall(sandbox.addresses.callbacks, demoCall(callId, changes));
  const rulesFor = (line: string) =>
    subscriber.ofType('AWS::Events::Rule').filter(({ EventPattern }) => matches(EventPattern, JSON.parse(line)));
  const selected = () => events.filter((line) => rulesFor(line).length > 0);
  const variables = (changes: Readonly<Record<string, string>>) =>
    sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb, ...changes });

  /** A table as the stack makes it, for one test. */
  const tasksTable = async () => {
    const TableName = `tasks-${randomUUID()}`;
    for (const { KeySchema, AttributeDefinitions, BillingMode } of subscriber.ofType('AWS::DynamoDB::Table'))
      await dynamodb.send(new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode }));

    return {
      deliver: (bodies: readonly string[]) => subscriber.deliver(bodies, variables({ TASKS_TABLE: TableName })),
      tasks: async () => ((await dynamodb.send(new ScanCommand({ TableName }))).Items ?? []).map(unmarshalled),
    };
  };

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
    dynamodb = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
    await post('900000000000000001', missed);
    await post('900000000000000002');
    await post('900000000000000003', { ...missed, Type: 'Manual' });
    // Its second revision makes it a missed call, its third adds the type, and its fourth only a disposition.
    await post('900000000000000004', { ...missed, Status: '', Type: '' });
    await post('900000000000000004', { ...missed, Type: '' });
    await post('900000000000000004', missed);
    await post('900000000000000004', { ...missed, Disposition: 'Busy line' });
    events = await published(sandbox, 7);
  });
  afterAll(async () => {
    dynamodb?.destroy();
    await sandbox?.stop();
  });

  it('has rules that select each missed call when it is known to be one', () => {
    const details = selected().map((line) => JSON.parse(line).detail);

    expect(events.map((line) => rulesFor(line).length).filter((rules) => rules > 1)).toEqual([]);
    expect(details.map(({ callId, revision }) => [callId, revision])).toEqual([
      ['900000000000000001', 1],
      ['900000000000000004', 2],
      ['900000000000000004', 3],
    ]);
  });

  it('makes one task of each missed call, whatever else comes or is repeated', async () => {
    const { deliver, tasks } = await tasksTable();

    const first = await deliver([...selected(), ...events]);
    const again = await deliver(events);

    expect([first.answer, again.answer]).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
    const skipped = (times: number) => Array(times).fill('repeat skipped');
    expect(first.messages.toSorted()).toEqual([...skipped(4), 'task made', 'task made']);
    expect(again.messages).toEqual(skipped(3));
    const made = await tasks();
    expect(made).toHaveLength(2);
    expect(made).toContainEqual({
      call: 'demo#900000000000000001',
      account: 'demo',
      callId: '900000000000000001',
      missedAt: '2026-11-21T04:32:00.000Z',
      customerNumber: '09000000044',
      expiresAt: expect.any(Number),
    });
  });

  it('returns only failed events for a retry, and logs why without their content', async () => {
    const { deliver, tasks } = await tasksTable();
    const [good = ''] = selected();
    const odd = good.replace('"not-answered"', '"SENTINEL"');

    const { answer, errors } = await deliver([good, 'SENTINEL {', odd]);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }, { itemIdentifier: 'message-2' }] });
    expect(errors).toContain('detail.call.status');
    expect(errors).not.toContain('SENTINEL');
    expect(await tasks()).toHaveLength(1);
  });

  it('runs in the sandbox until Ctrl-C', async () => {
    const environment = variables({ SANDBOX: sandbox.addresses.gateway, TASKS_TABLE: `tasks-${randomUUID()}` });
    const script = startScript(join(subscriber.project, 'try-in-sandbox.ts'), [], environment);
    await expect.poll(script.output, soon).toContain('Waiting for missed calls');
    await post('900000000000000009', missed);
    await expect.poll(script.output, soon).toContain('{"message":"task made","callId":"900000000000000009"}');
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
  });
});
