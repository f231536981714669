import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { composeForwarding, forwardTimeouts, postForm, sparing } from '../../../functions/forward-deliveries/app.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { startHttpServer, startTcpServer } from '../../support/local-servers.ts';

/** The function with clients that accept everything but `rejected`, and a table without rows. `sent` has the requests to SQS. */
const forwarding = (rejected: readonly number[] = []) => {
  const lines: string[] = [];
  const sent: unknown[] = [];
  const posts: string[] = [];
  const reads: unknown[] = [];
  const handler = composeForwarding({
    env: {
      CALLS_TABLE: 'calls',
      FORWARD_QUEUE_URL: 'https://queue.invalid/1/forwarding.fifo',
      CALLFEED_ACCOUNTS: JSON.stringify([{ ...demoAccount, forwardTo: ['https://old.example/'] }]),
      DEPLOYMENT: 'test',
    },
    clock: () => new Date(),
    telemetry: jsonTelemetry({ function: 'forward-deliveries', deployment: 'test' }, (line) => lines.push(line)),
    dynamodb: { send: async ({ input }: { input: object }) => reads.push(input) && {} } as never,
    secrets: { send: async () => ({}) } as never,
    sqs: {
      send: async ({ input }: { input: object }) =>
        sent.push(input) && { Failed: rejected.map((Id) => ({ Id: `${Id}` })) },
    } as never,
    post: async (address) => void posts.push(address),
  });
  return { invoke: (event: unknown) => handler(event as never, {} as Context), lines, sent, posts, reads };
};

const call = {
  pk: { S: 'demo#1' },
  sk: { S: 'call' },
  kind: { S: 'call' },
  account: { S: 'demo' },
  callId: { S: '1' },
};
const delivery = { M: { id: { S: 'a' }, receivedAt: { S: '2026-11-20T06:00:00.000Z' }, asSent: { S: 'text' } } };

it('skips a row that was removed or that Callfeed did not write, and queues what is behind it', async () => {
  const { invoke, lines, sent } = forwarding();
  const records = [call, { ...call, deliveries: { L: [delivery] } }].map((NewImage, index) => ({
    dynamodb: { SequenceNumber: String(index), NewImage },
  }));

  const removal = { dynamodb: { SequenceNumber: '2', OldImage: call } };

  expect(await invoke({ Records: [...records, removal] })).toEqual({ batchItemFailures: [] });
  expect(sent).toMatchObject([{ Entries: [{ MessageGroupId: expect.any(String) }] }]);
  expect(lines.join('')).toContain('"where":"row"');
});

it('queues the deliveries of a call one after the other, as the queue may accept a part of a batch', async () => {
  const { invoke, sent } = forwarding();
  const second = { M: { ...delivery.M, id: { S: 'b' }, asSent: { S: 'another text' } } };
  const NewImage = { ...call, deliveries: { L: [delivery, second] } };
  await invoke({ Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] });

  expect(sent).toMatchObject([{ Entries: [{ Id: '0' }] }, { Entries: [{ Id: '0' }] }]);
});

it('measures how long a change has waited, and of what makes no message nothing', async () => {
  const { invoke, lines } = forwarding();
  const written = { SequenceNumber: '1', ApproximateCreationDateTime: Date.now() / 1_000 - 600 };
  const image = { ...call, deliveries: { L: [delivery] } };

  await invoke({ Records: [{ dynamodb: { ...written, NewImage: { ...image, account: { S: 'other' } } } }] });
  expect(lines).toEqual([]);
  await invoke({ Records: [{ dynamodb: { ...written, NewImage: image } }] });
  expect(Math.round(JSON.parse(lines[0] ?? '').ForwardingDelaySeconds / 10)).toBe(60);
});

it('repeats from the earliest message that was rejected, as the queue names them in any order', async () => {
  const { invoke } = forwarding([3, 1]);
  const Records = ['0', '1', '2', '3', '4'].map((callId) => ({
    dynamodb: { SequenceNumber: callId, NewImage: { ...call, callId: { S: callId }, deliveries: { L: [delivery] } } },
  }));

  expect(await invoke({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
});

it('keeps a message that it cannot read for the dead letters, and pauses', async () => {
  const { invoke, lines, sent } = forwarding();
  const message = { messageId: 'a', receiptHandle: 'r', body: 'torn', attributes: { ApproximateReceiveCount: '3' } };

  expect(await invoke({ Records: [message] })).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }] });
  expect(sent).toEqual([
    { QueueUrl: 'https://queue.invalid/1/forwarding.fifo', ReceiptHandle: 'r', VisibilityTimeout: 40 },
  ]);
  expect(lines.join('')).toContain('A message is unreadable');
});

it('looks for the corrected address of a message from before messages said how many there were', async () => {
  const { invoke, lines, reads } = forwarding();
  const body = JSON.stringify({ key: { account: 'demo', callId: '1' }, post: 'a', address: 'old.example#00000000' });
  await invoke({ Records: [{ messageId: 'a', body, attributes: { ApproximateReceiveCount: '4' } }] });

  expect(reads).toHaveLength(1);
  expect(lines.join('')).not.toContain('has this address no more');
});

it('is done with a message whose call has expired', async () => {
  const { invoke, posts, sent, reads } = forwarding();
  const NewImage = { ...call, deliveries: { L: [delivery] } };
  await invoke({ Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] });
  const { MessageBody: body } = Object(sent[0]).Entries[0];
  const message = { messageId: 'a', body, attributes: { ApproximateReceiveCount: '1' } };

  expect(await invoke({ Records: [message] })).toEqual({ batchItemFailures: [] });
  // An older copy of the row may lack the delivery.
  expect(reads).toMatchObject([{ ExpressionAttributeValues: { ':pk': { S: 'demo#1' } }, ConsistentRead: true }]);
  expect(posts).toEqual([]);
});

const receiver = async (answer: RequestListener) => `${(await startHttpServer(answer)).url}/callDetails`;

/** Long enough for a busy machine. */
const patient = { connectMs: 30_000, wholeMs: 30_000 };
const post = postForm(patient);

describe('a post', () => {
  it('is a form to the whole address with its query, with the body as it is', async () => {
    const seen: unknown[] = [];
    const address = await receiver(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, type: headers['content-type'], body: await text(request) });
      response.end('thanks');
    });

    expect(await post(`${address}?code=acme`, 'data=%7B%7D')).toBeUndefined();
    expect(seen).toEqual([
      { method: 'POST', url: '/callDetails?code=acme', type: 'application/x-www-form-urlencoded', body: 'data=%7B%7D' },
    ]);
  });

  it.each([
    [200, undefined],
    [204, undefined],
    [304, 'redirect'],
    [307, 'redirect'],
    [404, 'status 404'],
    [500, 'status 500'],
  ])('with the answer %i ends with %s', async (status, problem) => {
    const answer = { location: '/elsewhere' };
    const address = await receiver((_request, response) => void response.writeHead(status, answer).end());

    expect(await post(address, 'data=')).toBe(problem);
  });

  it('waits for the whole answer, and forgets it, however it says that it is encoded', async () => {
    let isWritten = false;
    const address = await receiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('a'.repeat(1_000_000));
      setImmediate(() => {
        isWritten = true;
        response.end('end');
      });
    });

    expect(await post(address, 'data=')).toBeUndefined();
    expect(isWritten).toBe(true);
  });

  it('ends in time where nothing answers, or the answer never ends', async () => {
    const hanging = await receiver(() => undefined);
    const posts: unknown[] = [];
    const endless = await receiver((_request, response) => void posts.push(response.writeHead(200).write('a')));
    const impatient = postForm({ ...patient, wholeMs: 200 });

    expect(await impatient(hanging, 'data=')).toBe('timeout');
    for (const _ of [1, 2, 3, 4]) expect(await impatient(endless, 'data=')).toBe('timeout');
    expect(posts.length).toBeLessThanOrEqual(3);
  });

  it('goes to an address that hangs once a minute, so that it does not take the time of others', async () => {
    const silent = 'https://old.example/a';
    const slow = 'https://old.example/b';
    const posts: string[] = [];
    const spared = sparing(async (address) => {
      posts.push(address);
      // The slow one answers each third post, so never lets three in a row wait.
      return address === silent || posts.length % 3 !== 0 ? 'timeout' : undefined;
    });
    onTestFinished(() => void vi.useRealTimers());
    const during = async (seconds: number, address: string) => {
      const before = posts.length;
      for (let second = 0; second < seconds; second += 1) {
        vi.setSystemTime(Date.now() + 1_000);
        await spared(address, 'data=');
      }
      return posts.length - before;
    };

    expect([await during(62, silent), await during(60, silent), await during(60, slow)]).toEqual([3, 1, 60]);
  });

  it('ends sooner where no connection comes about', async () => {
    // It accepts the connection and says nothing, so TLS never begins.
    const silent = (await startTcpServer(() => undefined)).replace('http:', 'https:');

    expect(await postForm({ ...patient, connectMs: 200 })(`${silent}/callDetails`, 'data=')).toBe('timeout');
  });

  it.each(['nobody', 'breaks off'])('fails where the receiver is: %s', async (what) => {
    const { url, server } = await startHttpServer((request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('a');
      setImmediate(() => request.socket.destroy());
    });
    if (what === 'nobody') await once(server.close(), 'close');

    expect(await post(`${url}/callDetails`, 'data=')).toBe('connection');
  });
});

it('a deployed post may take two seconds to connect and ten in all', () => {
  expect(forwardTimeouts).toEqual({ connectMs: 2_000, wholeMs: 10_000 });
});
