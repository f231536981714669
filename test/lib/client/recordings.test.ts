import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  archived,
  asked,
  failed,
  givenUp,
  newRecording,
  recordingRow,
  type StoredRecording,
} from '../../../functions/archive-recordings/recording-row.ts';
import { type CallfeedClient, createCallfeedClient } from '../../../lib/client/index.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { collected, rejectingClient } from './support/clients.ts';

const at = (minute: number) => `2026-11-20T06:${String(minute).padStart(2, '0')}:00.000Z`;
const object = { bucket: 'recordings', contentType: 'audio/wav', sizeBytes: 9, sha256: 'a'.repeat(64) };

/** More than one request of BatchGetItem takes. */
const inVain = 120;

let tables: TestTables;
let client: CallfeedClient;

const put = (stored: StoredRecording) =>
  tables.client.send(
    new PutItemCommand({ TableName: tables.tableNames.calls, Item: marshalled({ ...recordingRow(stored) }) }),
  );
const fresh = (callId: string, url: string, minute: number) =>
  asked(
    newRecording({ account: 'demo', callId }, url, { expiresAt: 4_000_000_000 }, at(minute)),
    at(minute),
    at(minute),
  );

beforeAll(async () => {
  tables = await startTestTables();
  client = createCallfeedClient({ dynamodb: tables.client, tables: tables.tableNames, account: 'demo' });
  await put(archived(fresh('42', 'one', 1), object, at(2)));
  await put(givenUp(fresh('42', 'two', 3), 'not-https', at(4)));
  await put(failed(fresh('43', 'three', 5), 'not-found', at(6), at(7)));
  await put(failed(fresh('44', 'four', 1), 'empty', at(6), at(7)));
  for (let call = 0; call < inVain; call++)
    await put(givenUp(fresh(`9${call}`, 'x', call % 60), 'too-large', at(call % 60)));
});
afterAll(() => tables.stop());

describe('recordings', () => {
  it('of a call are read with what became of each', async () => {
    const found = (await client.recordings('42')).toSorted((a, b) => a.status.localeCompare(b.status));

    expect(found).toMatchObject([
      { ...object, callId: '42', status: 'archived', archivedAt: at(2) },
      { callId: '42', status: 'given-up', problem: 'not-https', givenUpAt: at(4) },
    ]);
    expect(await client.recordings('nothing')).toEqual([]);
  });

  it('that were asked for in vain are listed by status, the longest first', async () => {
    expect((await collected(client.recordingsInVain('waiting'))).map(({ callId }) => callId)).toEqual(['44', '43']);
    const given = await collected(client.recordingsInVain('given-up'));
    expect(given).toHaveLength(inVain + 1);
    expect(given.map(({ givenUpAt = '' }) => givenUpAt)).toEqual(
      given.map(({ givenUpAt = '' }) => givenUpAt).toSorted(),
    );
  });

  it('are asked for by a known status and a call that is text', async () => {
    expect(() => rejectingClient().recordingsInVain('archived' as never)).toThrow(
      new RangeError('status: expected one of waiting, given-up.'),
    );
    await expect(rejectingClient().recordings('')).rejects.toThrow('callId: expected text that is not empty');
  });
});
