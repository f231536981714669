import { createHash } from 'node:crypto';
import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { expect, it, onTestFinished } from 'vitest';
import { recordingIdOf } from '../../lib/recordings/recording-keys.ts';
import { recordingsBucket } from '../../sandbox/local-aws.ts';
import { startSharedSandbox } from '../support/java-stand-in.ts';
import { archiveDay, type RecordedDay } from '../support/recorded-day.ts';

/** Why a recording that stays odd is given up. */
const reasons = { gone: 'not-found', expired: 'not-allowed', elsewhere: 'other-host' } as const;

/**
 * Simulates a day, archives its recordings, and compares: what the host ever served whole is in the bucket byte for byte and
 * once; each other has its reason; nothing is asked for after it was archived or given up.
 */
const expectDayArchived = async (day: RecordedDay) => {
  const sandbox = await startSharedSandbox({
    ...{ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false },
  });
  onTestFinished(() => sandbox.stop());
  const archiving = await archiveDay(sandbox, day);
  onTestFinished(archiving.stop);
  await archiving.published();
  await archiving.send();
  await archiving.drain();

  const served = await archiving.requested();
  const { urls, recordings } = await archiving.outcome();
  const byId = new Map(recordings.map((one) => [one.recordingId, one]));
  expect(new Set(byId.keys())).toEqual(new Set(urls.map(recordingIdOf)));

  const hashes = new Map<string, string>();
  for await (const { Contents = [] } of paginateListObjectsV2({ client: archiving.s3 }, { Bucket: recordingsBucket }))
    for (const { Key = '' } of Contents) {
      const { Body } = await archiving.s3.send(new GetObjectCommand({ Bucket: recordingsBucket, Key }));
      hashes.set(
        Key,
        createHash('sha256')
          .update((await Body?.transformToByteArray()) ?? '')
          .digest('hex'),
      );
    }
  const whole = served.filter(({ servedWholeAt }) => servedWholeAt.length > 0);
  expect(hashes.size).toBe(whole.length);
  for (const { url, sha256, sizeBytes, servedWholeAt } of whole) {
    const row = byId.get(recordingIdOf(url));
    expect(row, url).toMatchObject({ status: 'archived', sha256, sizeBytes });
    expect(hashes.get(row?.objectKey ?? ''), url).toBe(sha256);
    expect(servedWholeAt, url).toHaveLength(1);
  }
  const inVain = served.filter(({ servedWholeAt }) => servedWholeAt.length === 0);
  for (const { url, oddity, requestedAt } of inVain) {
    const row = byId.get(recordingIdOf(url));
    expect(row, url).toMatchObject({ status: 'given-up', problem: reasons[oddity as keyof typeof reasons] });
    expect(requestedAt, url).toHaveLength(row?.attempts ?? 0);
  }
  // What the host was never asked for.
  const known = new Set(served.map(({ url }) => url));
  const never = urls.filter((url) => !known.has(url));
  for (const url of never)
    expect(byId.get(recordingIdOf(url)), url).toMatchObject({ status: 'given-up', problem: 'not-https' });
  expect(archiving.letters()).toHaveLength(inVain.length + never.length);

  // Every event once more, as after a replay.
  await archiving.send();
  await archiving.drain();
  expect(await archiving.requested()).toEqual(served);
  expect((await archiving.outcome()).recordings).toEqual(recordings);
  expect(archiving.lines.join('')).not.toContain('recordings.example.com');
  return { urls: urls.length, whole: whole.length, inVain: inVain.length, never: never.length };
};

it('archives the recordings of a simulated day of 300 calls, a third of them odd', {
  timeout: 1_800_000,
}, async () => {
  const counts = await expectDayArchived({ calls: 300, seed: 20_261_120, oddShare: 1 / 3 });

  expect(counts.whole).toBeGreaterThan(150);
  expect(counts.inVain).toBeGreaterThan(15);
});
