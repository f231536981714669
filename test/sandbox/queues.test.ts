import { setImmediate as immediate } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FunctionName, isRecursive, timeoutSeconds } from '../../functions/limits.ts';
import type { Served } from '../../sandbox/frame/serve.ts';
import { createQueue, type Queue } from '../../sandbox/queue/queue.ts';
import { longestChain, receiveFor } from '../../sandbox/queue/queue-reader.ts';
import { queueAddress, queueArn, sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import { serveForTest } from '../support/local-servers.ts';

let served: Served;
let client: SQSClient;
let QueueUrl: string;
let sent: number;

beforeEach(async () => {
  sent = 0;
  const dead = createQueue({ name: 'dead', visibilityMilliseconds: 60_000 });
  const redrive = { maxReceiveCount: 9, to: dead };
  const onSent = () => {
    sent += 1;
  };
  const queue = createQueue({ name: 'parking', visibilityMilliseconds: 60_000, redrive, onSent });
  const endpoint = await serveForTest(sqsEndpoint([queue, dead]));
  served = endpoint;
  client = new SQSClient(endpoint.client);
  QueueUrl = queueAddress(served.url, 'parking');
});
afterEach(async () => {
  client.destroy();
  await served.close();
});

const receive = async (input = {}) => {
  const asked = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...input });
  return (await client.send(asked)).Messages ?? [];
};

describe('sqsEndpoint', () => {
  it('returns what was sent, with checksums that the SDK accepts', async () => {
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'call' } };
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'naïve “text”\n', MessageAttributes }));

    expect(await receive()).toMatchObject([
      { Body: 'naïve “text”\n', Attributes: { ApproximateReceiveCount: '1' }, MessageAttributes },
    ]);
    expect(sent).toBe(1);
  });

  it('accepts a batch and names the rejected entries', async () => {
    const Entries = [
      { Id: 'a', MessageBody: 'first' },
      { Id: 'b', MessageBody: 'a control character: \u0000' },
    ];
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));

    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['a']);
    expect(answer.Failed).toMatchObject([{ Id: 'b', Code: 'InvalidMessageContents', SenderFault: true }]);
    expect(sent).toBe(1);
  });

  it('rejects a message of more than 1 MiB, counted in bytes', async () => {
    const MessageBody = 'é'.repeat(524_289);

    await expect(client.send(new SendMessageCommand({ QueueUrl, MessageBody }))).rejects.toThrow('shorter than');
  });

  it('holds back messages of a group while one before them is hidden, and no others', async () => {
    for (const [MessageBody, MessageGroupId] of Object.entries({ 1: 'a', 2: 'a', 3: 'b' }))
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId }));
    const bodies = async () => (await receive({ MaxNumberOfMessages: 1 })).map(({ Body }) => Body);

    expect([await bodies(), await bodies(), await bodies()]).toEqual([['1'], ['3'], []]);
  });

  it('hides a received message until its visibility is changed', async () => {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'again' }));
    const [first] = await receive();
    expect(await receive()).toEqual([]);

    const ReceiptHandle = first?.ReceiptHandle;
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));

    expect(await receive()).toMatchObject([{ Body: 'again', Attributes: { ApproximateReceiveCount: '2' } }]);
  });

  it('moves the messages of a dead-letter queue, and of no other', async () => {
    const parking = queueArn('parking');
    const dead = queueArn('dead');
    const move = (SourceArn: string, DestinationArn: string) =>
      client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    for (const MessageBody of ['a', 'b'])
      await client.send(new SendMessageCommand({ QueueUrl: queueAddress(served.url, 'dead'), MessageBody }));

    await expect(move(parking, dead)).rejects.toThrow('must be configured as a Dead Letter Queue');
    await expect(move(dead, queueArn('none'))).rejects.toThrow('does not exist');
    await move(dead, parking);
    const { Results } = await client.send(new ListMessageMoveTasksCommand({ SourceArn: dead }));
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 2 }]);
    expect([sent, (await receive()).map(({ Body }) => Body)]).toEqual([2, ['a', 'b']]);
  });

  it('deletes by receipt, and rejects an unknown one', async () => {
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: Id }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const [one, two] = await receive();

    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: one?.ReceiptHandle }));
    const known = { Id: 'known', ReceiptHandle: two?.ReceiptHandle };
    const batch = [known, { Id: 'unknown', ReceiptHandle: 'none' }];
    const answer = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: batch }));

    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['known']);
    expect(answer.Failed).toMatchObject([{ Id: 'unknown', Code: 'ReceiptHandleIsInvalid' }]);
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(Attributes).toMatchObject({ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' });
  });
});

it.each<[string, object, string]>([
  ['a message with a group and an id', {}, 'accepted'],
  ['a message without a group', { MessageGroupId: undefined }, 'MissingParameter'],
  [
    'a message without an id, where bodies are not compared',
    { MessageDeduplicationId: undefined },
    'InvalidParameterValue',
  ],
  ['a message with a delay of its own', { DelaySeconds: 1 }, 'InvalidParameterValue'],
])('a FIFO queue accepts and refuses as SQS does, alone and in a batch: %s', async (_what, changed, outcome) => {
  const endpoint = await serveForTest(sqsEndpoint([createQueue({ name: 'own.fifo', visibilityMilliseconds: 0 })]));
  const sqs = new SQSClient(endpoint.client);
  const address = queueAddress(endpoint.url, 'own.fifo');
  const entry = { MessageBody: 'any', MessageGroupId: 'one', MessageDeduplicationId: 'first', ...changed };
  const nameOf = ({ name }: Error) => name;
  const alone = await sqs.send(new SendMessageCommand({ QueueUrl: address, ...entry })).then(() => 'accepted', nameOf);
  const Entries = [{ Id: 'a', ...entry }];
  const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: address, Entries }));
  sqs.destroy();
  await endpoint.close();

  expect([alone, Failed[0]?.Code ?? 'accepted']).toEqual([outcome, outcome]);
});

it('a FIFO queue takes a message under one id once in five minutes', () => {
  let now = 0;
  const queue = createQueue({ name: 'own.fifo', visibilityMilliseconds: 0, now: () => now });
  const counts = [0, 299_999, 300_000, 599_999].map((at) => {
    now = at;
    queue.send('again', {}, 0, { group: 'one', deduplicationId: 'same' });
    return queue.messages().length;
  });

  expect(counts).toEqual([1, 1, 2, 2]);
});

it.each([
  ['from when the message was sent', 'own', 0],
  ['from when it was given up, of a FIFO queue', 'own.fifo', 1],
])('a letter is kept %s, as in SQS', (_since, name, left) => {
  let now = 0;
  const clock = { retentionMilliseconds: 10_000, now: () => now };
  const letters = createQueue({ name: `letters-of-${name}`, visibilityMilliseconds: 0, ...clock });
  const redrive = { maxReceiveCount: 1, to: letters };
  const queue = createQueue({ name, visibilityMilliseconds: 0, redrive, ...clock });
  queue.send('given up', {}, 0, { group: 'one' });
  queue.receive(1);
  now = 6_000;
  queue.receive(1);
  expect(letters.messages()).toHaveLength(1);
  now = 12_000;

  expect(letters.messages()).toHaveLength(left);
});

describe('a reader that waits', () => {
  const letterIn = () => createQueue({ name: 'other', visibilityMilliseconds: 0 }).send('letter', {}, 0);

  it.each<[string, (queue: Queue, receipt: string) => unknown]>([
    ['is sent', (queue) => queue.send('new', {}, 0)],
    ['comes from another queue', (queue) => queue.accept(letterIn())],
    ['is shown again before its time', (queue, receipt) => queue.hide(receipt, 0)],
    ['is no longer held back by a message that is deleted', (queue, receipt) => queue.remove(receipt)],
    ['is no longer held back by a message that is given up', (queue, receipt) => queue.giveUp(receipt)],
  ])('is woken when a message %s', async (_title, act) => {
    const queue = createQueue({ name: 'any', visibilityMilliseconds: 3_600_000 });
    for (const body of ['first', 'second']) queue.send(body, {}, 0, { group: 'one' });
    const [first] = queue.receive(1);
    const stopping = new AbortController();
    let isAwake = false;
    const waiting = queue.waitForMessage(stopping.signal).then(() => {
      isAwake = !stopping.signal.aborted;
    });
    act(queue, first?.receipt ?? '');
    await immediate();
    stopping.abort();
    await waiting;

    expect(isAwake).toBe(true);
  });
});

describe('a chain of messages', () => {
  /**
   * Each run sends one message to its own queue, beside one that begins a chain, up to `most`; then how many runs there were, and
   * what was given up.
   */
  const chain = async (name: FunctionName, most: number) => {
    const given = createQueue({ name: 'given-up', visibilityMilliseconds: 0 });
    const queue = createQueue({
      name: 'own',
      visibilityMilliseconds: 60_000,
      redrive: { maxReceiveCount: 5, to: given },
    });
    const endpoint = await serveForTest(sqsEndpoint([queue]));
    const client = new SQSClient(endpoint.client);
    const send = () =>
      client.send(new SendMessageCommand({ QueueUrl: queueAddress(endpoint.url, 'own'), MessageBody: 'next' }));
    await send();
    let runs = 0;
    while (runs < most) {
      const { messages, run } = receiveFor(name, queue, 2);
      if (!messages.some(({ body }) => body === 'next')) break;
      queue.send('first of another chain', {}, 0);
      await run(send);
      for (const { receipt = '' } of messages) queue.remove(receipt);
      runs += 1;
    }
    client.destroy();
    await endpoint.close();
    return { runs, given: given.messages().length };
  };

  beforeAll(() => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'any');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  const names = Object.keys(timeoutSeconds).filter((name): name is FunctionName => name in timeoutSeconds);

  it.each(names)('that %s sends to itself ends after 16 runs, unless it may go on', async (name) => {
    const most = 3 * longestChain;

    expect(await chain(name, most)).toEqual(isRecursive(name) ? { runs: most, given: 0 } : { runs: 16, given: 1 });
  });

  it('is not longer for a message that is received again', () => {
    const queue = createQueue({ name: 'own', visibilityMilliseconds: 0 });
    queue.send('again and again', {}, 0);

    for (let run = 0; run < 3 * longestChain; run++)
      expect(receiveFor('recover-callbacks', queue, 1).messages).toHaveLength(1);
  });
});
