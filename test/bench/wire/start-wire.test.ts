import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWire, type Wire } from '../../../bench/wire/start-wire.ts';
import { localClient } from '../../../sandbox/local-client.ts';

const TableName = 'any';
const Item = { id: { S: 'one' } };
const entryOf = (Detail: string) => ({ Source: 'tests', DetailType: 'Tried', Detail, EventBusName: 'bus' });

describe('a wire with nothing behind it', () => {
  let wire: Wire;
  const settings = () => ({ ...localClient(wire.url), maxAttempts: 1 });
  const put = (client: DynamoDBClient) => client.send(new PutItemCommand({ TableName, Item }));

  beforeAll(async () => {
    wire = await startWire({ secret: 'the secret' });
  });
  afterAll(() => wire.close());
  beforeEach(() => {
    wire.fail();
    wire.taken();
  });

  it('takes writes and finds nothing', async () => {
    const client = new DynamoDBClient(settings());

    await put(client);
    expect((await client.send(new GetItemCommand({ TableName, Key: Item }))).Item).toBeUndefined();
    expect(wire.taken()).toMatchObject([
      { service: 'dynamodb', operation: 'PutItem', input: { TableName, Item } },
      { service: 'dynamodb', operation: 'GetItem', writeUnits: 0 },
    ]);
    expect(wire.taken()).toEqual([]);
  });

  it('is the bus, the queue and the secret', async () => {
    const bus = new EventBridgeClient(settings());
    const queue = new SQSClient(settings());
    const secrets = new SecretsManagerClient(settings());
    const QueueUrl = `${wire.url}/000000000000/queue`;

    const { Entries, FailedEntryCount } = await bus.send(new PutEventsCommand({ Entries: [entryOf('{"a":1}')] }));
    const { MessageId } = await queue.send(new SendMessageCommand({ QueueUrl, MessageBody: 'text' }));
    const batch = { QueueUrl, Entries: [{ Id: 'a', MessageBody: 'é' }] };
    const { Successful } = await queue.send(new SendMessageBatchCommand(batch));
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: 'accounts' }));

    expect({ FailedEntryCount, Entries }).toEqual({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
    expect([MessageId, Successful?.[0]?.Id, SecretString]).toEqual([expect.any(String), 'a', 'the secret']);
    expect(wire.taken().map(({ service, operation }) => `${service} ${operation}`)).toEqual([
      'eventbridge PutEvents',
      'sqs SendMessage',
      'sqs SendMessageBatch',
      'secretsmanager GetSecretValue',
    ]);
  });

  it('lists the events that the bus took', async () => {
    wire.fail(({ service }) => (service === 'eventbridge' ? 'partial' : undefined));
    const Entries = [entryOf('{"a":1}'), entryOf('{"b":2}')];
    const answer = await new EventBridgeClient(settings()).send(new PutEventsCommand({ Entries }));

    expect(answer).toMatchObject({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }, {}] });
    expect(wire.taken()).toMatchObject([{ events: [{ source: 'tests', type: 'Tried', detail: '{"b":2}' }] }]);
  });

  it('answers with a fault before the effect', async () => {
    wire.fail(() => 'before');

    await expect(put(new DynamoDBClient(settings()))).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(wire.taken()).toMatchObject([{ operation: 'PutItem', writeUnits: 0 }]);
  });

  it('leaves a caller without an answer', async () => {
    wire.fail(() => 'silent');
    const requestHandler = { requestTimeout: 50, throwOnRequestTimeout: true };

    await expect(put(new DynamoDBClient({ ...settings(), requestHandler }))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(wire.taken()).toHaveLength(1);
  });

  it('tells a caller that it does not speak what was asked', async () => {
    const asked = fetch(wire.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'Kinesis_20131202.PutRecord' },
      body: '{}',
    });

    expect(await (await asked).text()).toContain('Kinesis_20131202.PutRecord');
  });
});
