import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oddities, type RecordingFault } from '../../../sandbox/frame/faults.ts';
import { type Served, startServer } from '../../../sandbox/frame/serve.ts';
import { createRecordings } from '../../../sandbox/simulator/recordings.ts';

const none: RecordingFault = { mode: 'none', rate: 1, answers: 2 };

let fault: RecordingFault;
let now: number;
let recordings: ReturnType<typeof createRecordings>;
let served: Served;

beforeEach(async () => {
  fault = none;
  now = Date.parse('2026-11-20T05:00:00Z');
  recordings = createRecordings(
    () => fault,
    () => now,
  );
  served = await startServer({ number: 0, flag: 'port' }, recordings.respond);
});
afterEach(() => served.close());

/** The status, the type and the bytes of an answer; undefined as bytes if it broke off. */
const ask = (path: string, method = 'GET') =>
  new Promise<{ status: number; type: string; location: string | undefined; bytes: Buffer | undefined }>(
    (resolve, reject) => {
      const headers = { host: 'recordings.example.com' };
      request(new URL(path, served.url), { method, headers, agent: false }, async (response) => {
        const { statusCode: status = 0, headers } = response;
        const bytes = await buffer(response).catch(() => undefined);
        resolve({ status, type: headers['content-type'] ?? '', location: headers.location, bytes });
      })
        .once('error', reject)
        .end();
    },
  );

const sha256 = (bytes: Buffer = Buffer.alloc(0)): string => createHash('sha256').update(bytes).digest('hex');
const isWav = (bytes: Buffer | undefined): boolean => bytes?.toString('latin1', 0, 4) === 'RIFF';

describe('the host of simulated recordings', () => {
  it('serves the same WAV for a URL again, another one for another URL, and counts both', async () => {
    const first = await ask('/1-1.mp3');
    const again = await ask('/1-1.mp3');
    const other = await ask('/1-2.mp3?token=x');

    expect(first).toMatchObject({ status: 200, type: 'audio/wav' });
    expect([first, again, other].map(({ bytes }) => isWav(bytes))).toEqual([true, true, true]);
    expect(again.bytes).toEqual(first.bytes);
    expect(other.bytes).not.toEqual(first.bytes);
    const at = '2026-11-20T05:00:00.000Z';
    const one = 'https://recordings.example.com/1-1.mp3';
    const two = 'https://recordings.example.com/1-2.mp3?token=x';
    const twice = { oddity: 'none', requestedAt: [at, at], servedWholeAt: [at, at], sizeBytes: first.bytes?.length };
    expect(recordings.served()).toEqual([
      { url: one, ...twice, sha256: sha256(first.bytes) },
      expect.objectContaining({ url: two, servedWholeAt: [at], sha256: sha256(other.bytes) }),
    ]);
  });

  it.each([
    ['absent', { status: 404 }],
    ['empty', { status: 200, type: 'audio/wav', bytes: Buffer.alloc(0) }],
    ['html', { status: 200, type: 'text/html' }],
    ['short', { status: 200, type: 'audio/wav', bytes: undefined }],
  ] as const)('answers %s as often as it is told to, and then whole', async (mode, odd) => {
    fault = { mode, rate: 1, answers: 2 };
    const answers = [await ask('/1-1.mp3'), await ask('/1-1.mp3'), await ask('/1-1.mp3')];

    expect(answers.slice(0, 2)).toMatchObject([odd, odd]);
    expect(isWav(answers[2]?.bytes)).toBe(true);
    const counts = { requestedAt: { length: 3 }, servedWholeAt: { length: 1 } };
    expect(recordings.served()).toMatchObject([{ oddity: mode, ...counts }]);
  });

  it.each([
    ['gone', { status: 404 }],
    ['expired', { status: 403 }],
    ['elsewhere', { status: 302, location: 'https://169.254.169.254/latest/meta-data/' }],
  ] as const)('answers %s for ever', async (mode, odd) => {
    fault = { mode, rate: 1, answers: 1 };

    expect([await ask('/1-1.mp3'), await ask('/1-1.mp3')]).toMatchObject([odd, odd]);
    expect(recordings.served()).toMatchObject([{ servedWholeAt: [] }]);
  });

  it('serves a recording after a redirect on its host, under its own URL', async () => {
    fault = { mode: 'redirect', rate: 1, answers: 1 };
    const { location = '' } = await ask('/1-1.mp3?token=x');

    expect(isWav((await ask(location)).bytes)).toBe(true);
    const url = 'https://recordings.example.com/1-1.mp3?token=x';
    expect(recordings.served()).toMatchObject([{ url, requestedAt: { length: 1 }, servedWholeAt: { length: 1 } }]);
  });

  it('answers with nothing once the link of a call is older than three months', async () => {
    recordings.add({ id: '7', endedAt: now - 91 * 86_400_000 });
    recordings.add({ id: '8', endedAt: now - 89 * 86_400_000 });

    expect(await ask('/7-1.mp3')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
    expect(isWav((await ask('/8-1.mp3')).bytes)).toBe(true);
  });

  it('counts no HEAD as served', async () => {
    await ask('/1-1.mp3', 'HEAD');

    expect(recordings.served()).toMatchObject([{ servedWholeAt: [] }]);
  });

  it('makes the given share odd, in all ways', async () => {
    fault = { mode: 'mixed', rate: 1 / 3, answers: 1 };
    for (let call = 0; call < 300; call++) await ask(`/${call}-1.mp3`);
    const seen = recordings.served().map(({ oddity }) => oddity);

    expect(seen.filter((oddity) => oddity !== 'none').length).toBeGreaterThan(60);
    expect(seen.filter((oddity) => oddity !== 'none').length).toBeLessThan(140);
    expect(new Set(seen)).toEqual(new Set(['none', ...oddities]));
  });
});
