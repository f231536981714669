import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { sqsParking } from '../../../functions/receive-callback/app.ts';
import { type Parked, parkedIn } from '../../../lib/callback/schema.ts';
import { keyedDelivery, summaryWith } from '../../support/call-records.ts';
import { scriptedClient } from '../../support/recorded-clients.ts';

const parked = (fields: object = {}): Parked => ({ kind: 'delivery', ...keyedDelivery(summaryWith(fields)) });

const bodiesOf = (input: unknown) =>
  (input as { Entries: { MessageBody: string }[] }).Entries.map(({ MessageBody }) => MessageBody);

describe('sqsParking', () => {
  it('sends messages that recovery reads back as they were', async () => {
    const { client, sent } = scriptedClient<SQSClient>(() => ({ Successful: [{ Id: '0' }] }));
    const item = parked();

    await sqsParking(() => client, 'https://queue.invalid/parking', 1_000).park([item]);

    expect(sent.flatMap(({ input }) => bodiesOf(input)).map((body) => parkedIn(body))).toEqual([item]);
  });

  it('escapes the two characters that JSON permits and SQS rejects', async () => {
    const { client, sent } = scriptedClient<SQSClient>(() => ({}));
    const item = parked({ Comments: 'a\uFFFFb\uFFFEc' });

    await sqsParking(() => client, 'https://queue.invalid/parking', 1_000).park([item]);

    const [body = ''] = sent.flatMap(({ input }) => bodiesOf(input));
    expect(body).not.toMatch(/[\uFFFE\uFFFF]/);
    expect(parkedIn(body)).toEqual(item);
  });

  it('sends at most ten messages and a megabyte a call, counted in UTF-8', async () => {
    const { client, sent } = scriptedClient<SQSClient>(() => ({}));
    const small = Array.from({ length: 25 }, (_, index) => parked({ monitorUCID: String(index) }));
    const large = Array.from({ length: 5 }, (_, index) =>
      parked({ monitorUCID: `9${index}`, Comments: '字'.repeat(80_000 * (1 + (index % 2))) }),
    );

    await sqsParking(() => client, 'https://queue.invalid/parking', 1_000).park([...small, ...large]);

    const calls = sent.map(({ input }) => bodiesOf(input));
    expect(calls.flat()).toHaveLength(30);
    for (const bodies of calls) {
      expect(bodies.length).toBeLessThanOrEqual(10);
      expect(Buffer.byteLength(bodies.join(''))).toBeLessThanOrEqual(1_048_576);
    }
  });

  it('throws when the queue rejects a single message of a call that succeeds', async () => {
    const { client } = scriptedClient<SQSClient>(() => ({ Successful: [{ Id: '0' }], Failed: [{ Id: '1' }] }));

    await expect(
      sqsParking(() => client, 'https://queue.invalid/parking', 1_000).park([parked(), parked()]),
    ).rejects.toThrow('rejected 1 of 2 messages');
  });
});
