import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FunctionName, isRecursive, timeoutSeconds } from '../../../functions/timeouts.ts';
import { createQueue } from '../../../sandbox/queue/queue.ts';
import { longestChain, receiveFor } from '../../../sandbox/queue/queue-reader.ts';
import { queueUrl, sqsEndpoint } from '../../../sandbox/queue/sqs-endpoint.ts';
import { serveForTest } from '../../support/local-servers.ts';

/** Each run sends one message to its own queue, up to `most`; then how many runs there were, and what was given up. */
const chain = async (name: FunctionName, most: number) => {
  const given = createQueue({ name: 'given-up', visibilityMilliseconds: 0 });
  const queue = createQueue({
    ...{ name: 'own', visibilityMilliseconds: 60_000 },
    redrive: { maxReceiveCount: 5, to: given },
  });
  const endpoint = await serveForTest(sqsEndpoint([queue]));
  const client = new SQSClient(endpoint.client);
  const send = () =>
    client.send(new SendMessageCommand({ QueueUrl: queueUrl(endpoint.url, 'own'), MessageBody: 'next' }));
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

it.each(names)('a chain of messages that %s sends to itself ends after 16 runs, unless it may go on', async (name) => {
  const most = 3 * longestChain;

  expect(await chain(name, most)).toEqual(isRecursive(name) ? { runs: most, given: 0 } : { runs: 16, given: 1 });
});

it('a message that is received again is not a longer chain', () => {
  const queue = createQueue({ name: 'own', visibilityMilliseconds: 0 });
  queue.send('again and again', {}, 0);

  for (let run = 0; run < 3 * longestChain; run++)
    expect(receiveFor('recover-callbacks', queue, 1).messages).toHaveLength(1);
});
