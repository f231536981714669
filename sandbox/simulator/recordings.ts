import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Oddity, oddities, passing, type RecordingFault } from '../frame/faults.ts';
import type { PlannedCall } from './call.ts';
import { recordingsHost } from './call-fields.ts';

export type Recordings = ReturnType<typeof createRecordings>;
export type ServedRecording = ReturnType<Recordings['served']>[number];

/** After some three months the service's links answer 200 with nothing. */
const linkDays = 90;
const dayMilliseconds = 86_400_000;

export const createRecordings = (fault: () => RecordingFault, now: () => number) => {
  const endedAt = new Map<string, number>();
  const asked = new Map<string, { requestedAt: string[]; servedWholeAt: string[] }>();
  const isoNow = (): string => new Date(now()).toISOString();

  const hasExpired = (url: string): boolean => {
    const [, callId = ''] = /\/(\d+)-[\w-]+\.mp3/.exec(url) ?? [];
    return now() > (endedAt.get(callId) ?? now()) + linkDays * dayMilliseconds;
  };

  return {
    add({ id, endedAt: end }: Pick<PlannedCall, 'id' | 'endedAt'>) {
      endedAt.set(id, end);
    },
    isHost: (host: string | undefined) => host?.replace(/:\d+$/, '') === recordingsHost,
    async respond({ url: path = '/', method }: IncomingMessage, response: ServerResponse) {
      const url = `https://${recordingsHost}${path.replace(followed, '')}`;
      const counts = asked.get(url) ?? { requestedAt: [], servedWholeAt: [] };
      asked.set(url, counts);
      if (!followed.test(path)) counts.requestedAt.push(isoNow());

      const { answers } = fault();
      const oddity = oddityOf(url, fault());
      const isPassing = passing.some((one) => one === oddity);
      const isOver = isPassing ? counts.requestedAt.length > answers : followed.test(path);
      if (hasExpired(url)) return writeOdd(response, 'empty', path);
      if (oddity !== 'none' && !isOver) return writeOdd(response, oddity, path);

      const wav = wavOf(url);
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wav.length });
      response.end(wav, () => {
        if (method === 'GET') counts.servedWholeAt.push(isoNow());
      });
    },
    served: () =>
      [...asked].map(([url, { requestedAt, servedWholeAt }]) => {
        const wav = wavOf(url);
        return {
          url,
          oddity: oddityOf(url, fault()),
          requestedAt,
          servedWholeAt,
          sizeBytes: wav.length,
          sha256: createHash('sha256').update(wav).digest('hex'),
        };
      }),
  };
};

const followed = /[?&]redirected$/;

/** Whether and how a recording is odd. It follows from its URL, so it stays the same as long as the fault does. */
const oddityOf = (url: string, { mode, rate }: RecordingFault): Oddity | 'none' => {
  const drawn = createHash('sha256').update(`oddity ${url}`).digest();
  if (mode === 'none' || drawn.readUInt32LE(0) / 2 ** 32 >= rate) return 'none';
  return mode === 'mixed' ? (oddities[drawn.readUInt8(4) % oddities.length] ?? 'absent') : mode;
};

const audio = { 'content-type': 'audio/wav' } as const;

/** The status, headers and body of each odd answer. One without a body breaks off in the middle. */
const oddAnswers = (path: string): Readonly<Record<Oddity, readonly [number, OutgoingHttpHeaders, string?]>> => ({
  absent: [404, { 'content-type': 'text/plain' }, 'Not found'],
  gone: [404, { 'content-type': 'text/plain' }, 'Not found'],
  expired: [403, { 'content-type': 'application/xml' }, '<Error><Code>AccessDenied</Code></Error>'],
  empty: [200, { ...audio, 'content-length': 0 }, ''],
  html: [200, { 'content-type': 'text/html' }, '<!doctype html><title>Please log in</title>'],
  short: [200, { ...audio, 'content-length': 8_000 }],
  redirect: [302, { location: `${path}${path.includes('?') ? '&' : '?'}redirected` }, ''],
  elsewhere: [302, { location: 'https://169.254.169.254/latest/meta-data/' }, ''],
});

const writeOdd = (response: ServerResponse, oddity: Oddity, path: string): void => {
  const [status, headers, body] = oddAnswers(path)[oddity];
  response.writeHead(status, headers);
  if (body === undefined) response.write(Buffer.alloc(4_000, 'RIFF'), () => response.destroy());
  else response.end(body);
};

const sampleRate = 8_000;
const headerBytes = 44;
const middle = 128;

/** A tone of one to three seconds. Each URL has bytes of its own, always the same. */
export const wavOf = (url: string): Buffer => {
  const seed = createHash('sha256').update(url).digest();
  const samples = sampleRate + (seed.readUInt16LE() % (2 * sampleRate));
  const wav = Buffer.alloc(headerBytes + samples);
  // PCM.
  const format = 1;
  const formatBytes = 16;
  const channels = 1;
  const bits = 8;
  const header = [
    'RIFF',
    wav.length - 8,
    'WAVE',
    'fmt ',
    formatBytes,
    format + (channels << 16),
    sampleRate,
    sampleRate,
    1 + (bits << 16),
    'data',
    samples,
  ];
  for (const [index, part] of header.entries())
    if (typeof part === 'string') wav.write(part, 4 * index, 'latin1');
    else wav.writeUInt32LE(part, 4 * index);
  const radians = (2 * Math.PI * (200 + seed.readUInt8(2))) / sampleRate;
  for (let at = 0; at < samples; at++) wav[headerBytes + at] = middle + Math.round(60 * Math.sin(at * radians));
  seed.copy(wav, headerBytes);
  return wav;
};
