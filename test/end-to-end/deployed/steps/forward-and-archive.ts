import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect } from 'vitest';
import type { Closers } from '../../../../sandbox/frame/lifecycle.ts';
import { freePort, localHost } from '../../../../sandbox/frame/listen.ts';
import { until } from '../../../support/process-tree.ts';
import { functionOf } from '../deployment.ts';
import {
  account,
  callSummary,
  example,
  recordingHost,
  rowsUnder,
  type TestContext,
  withEnvironment,
} from '../test-context.ts';

type Behaviour = 'fails' | 'hangs' | 'accepts';

/** The receiver of somebody else. It notes how often it was asked in each state, and what it has accepted. */
const startOldReceiver = async (closers: Closers) => {
  let behaviour: Behaviour = 'fails';
  const asked = { fails: 0, hangs: 0, accepts: 0 };
  const accepted: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked[behaviour] += 1;
    if (behaviour === 'hangs') return;
    if (behaviour === 'accepts') accepted.push(new URLSearchParams(body).get('data') ?? body);
    response.writeHead(behaviour === 'fails' ? 500 : 200).end('a secret answer');
  });
  const port = await freePort({ number: 0, flag: 'The old receiver' });
  await new Promise<void>((resolve) => server.listen(port, localHost, resolve));
  closers.add(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    address: `http://${localHost}:${port}/secret-path/callDetails`,
    accepted: (): readonly string[] => accepted,
    /** From now on it behaves so. Resolves once it was asked so often since. */
    async behaves(next: Behaviour, times: number): Promise<void> {
      const before = asked[next];
      behaviour = next;
      const isAsked = (count: number) => count >= before + times;
      await until(`a delivery comes while the receiver ${next}`, async () => asked[next], isAsked, { seconds: 120 });
    },
  };
};

/** Calls of another day than the ones that other steps look at. */
const earlier = (json: string): string => json.replaceAll('2026-11-20', '2026-11-11');

/**
 * Deliveries are posted on to a receiver that answers 500, hangs, and comes back: each at least once, byte for byte, in order.
 * `callfeed` prints what a command says of the deployment.
 */
export const forwardDeliveries = async (
  { clients, outputs, api }: TestContext,
  closers: Closers,
  accounts: string,
  [callId, listedId]: readonly [callId: string, listedId: string],
  callfeed: (command: string) => Promise<string>,
): Promise<void> => {
  const receiver = await startOldReceiver(closers);
  const put = (SecretString: string) =>
    clients.secrets.send(new PutSecretValueCommand({ SecretId: outputs.AccountsSecretArn, SecretString }));
  const [one] = JSON.parse(accounts);
  await put(JSON.stringify([{ ...one, forwardTo: [receiver.address] }]));

  const first = earlier(callSummary(callId));
  const second = first.replace('"Type"', '"Disposition":"Sale","Type"');
  const list = earlier(example('advanced-callback')).replaceAll('41781234567890123', listedId);
  const isDone = (accepted: readonly string[]) => [first, second, list].every((post) => accepted.includes(post));
  // Processes read the accounts every five minutes. New ones read them at once.
  await withNewProcesses(clients, ['ReceiveCallback', 'ForwardDeliveries'], async () => {
    for (const post of [first, second, list])
      expect((await api.post(post)).status, 'The answer while the receiver fails').toStrictEqual(200);
    await receiver.behaves('fails', 2);
    expect(await callfeed('status'), 'What waits').toMatch(/^Forwarding +about [1-9]\d* deliveries wait/m);
    await receiver.behaves('hangs', 1);
    await receiver.behaves('accepts', 1);
    await until('the receiver has every post', async () => receiver.accepted(), isDone, { seconds: 180 });
    const isEmpty = (printed: string) => printed.includes('0 of about 0 dead letters listed; about 0 deliveries wait');
    await until('nothing waits to be forwarded', () => callfeed('dead-letters list forwarded'), isEmpty, {
      seconds: 120,
    });
  });
  await put(accounts);

  const accepted = receiver.accepted();
  expect([...new Set(accepted)].toSorted(), 'What the receiver got').toStrictEqual([first, second, list].toSorted());
  expect(accepted.indexOf(second), 'The order of a call').toBeGreaterThan(accepted.indexOf(first));
  expect(first, 'The key is in it').toContain(account.apiKey);
};

/** Runs something while functions have other processes than before. */
const withNewProcesses = async (
  clients: TestContext['clients'],
  [construct, ...others]: readonly string[],
  act: () => Promise<void>,
): Promise<void> => {
  if (construct === undefined) return act();
  const name = await functionOf(clients, construct);
  await withEnvironment(clients, name, { NEW_PROCESSES: 'yes' }, () => withNewProcesses(clients, others, act));
};

/** Larger than a part of an upload. */
const audio = Buffer.concat([Buffer.from('ID3'), randomBytes(9_000_000)]);

/** The host of recordings. */
const startHost = async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers, url }, response) => {
    asked.push(`${headers.host}${url}`);
    response.setHeader('Content-Type', 'audio/mpeg').end(audio);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

/**
 * A call with a recording is posted, and the recording is in the bucket. No host of the internet is reached here: the function
 * connects to this machine, as it does for emulators alone.
 */
export const archiveRecording = async (context: TestContext, callId: string): Promise<void> => {
  const { api, clients, outputs } = context;
  const host = await startHost();
  const path = `/${account.userName}/${callId}.mp3`;
  const AudioFile = `https://${recordingHost}${path}`;
  const rows = () =>
    rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `${account.userName}#${callId}#recordings` });
  const archive = async () => {
    const { status } = await api.post(JSON.stringify({ ...JSON.parse(callSummary(callId)), AudioFile }));
    expect(status).toBe(200);
    await until('the recording is archived', rows, ([row]) => row?.['status'] === 'archived', { seconds: 60 });
  };
  try {
    const name = await functionOf(clients, 'ArchiveRecordings');
    await withEnvironment(clients, name, { RECORDINGS_THROUGH: host.url }, archive);
  } finally {
    host.close();
  }

  const [row] = await rows();
  expect(host.asked).toStrictEqual([`${recordingHost}${path}`]);
  expect(row).toMatchObject({
    kind: 'recording',
    callId,
    attempts: 1,
    sizeBytes: audio.length,
    contentType: 'audio/mpeg',
    sha256: createHash('sha256').update(audio).digest('hex'),
    bucket: expect.stringMatching(/^callfeed-e2e-callfeedarchiverecordingsbucket/),
  });
  const Bucket = String(row?.['bucket']);
  const Key = String(row?.['objectKey']);
  const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(audio), 'The object').toBe(true);
};
