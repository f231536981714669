import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import { rowsUnder, withEnvironment } from '../clients.ts';
import { functionOf } from '../deployment.ts';
import { account, callSummary, recordingHost } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

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
    ...{ kind: 'recording', callId, attempts: 1, sizeBytes: audio.length, contentType: 'audio/mpeg' },
    sha256: createHash('sha256').update(audio).digest('hex'),
    bucket: expect.stringMatching(/^callfeed-e2e-callfeedarchiverecordingsbucket/),
  });
  const [Bucket, Key] = [String(row?.['bucket']), String(row?.['objectKey'])];
  const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(audio), 'The object').toBe(true);
};
