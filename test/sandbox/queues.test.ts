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
import { createQueue } from '../../sandbox/queue/queue.ts';
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

describe('a chain of messages', () => {
  /** Each run sends one message to its own queue, up to `most`; then how many runs there were, and what was given up. */
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
      const { messages, run } = receiveFor(name, queue, 1);
      if (messages.length === 0) break;
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
