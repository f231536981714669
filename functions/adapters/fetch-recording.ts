import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { recordingType } from '../../lib/recordings/media-type.ts';
import { checkedUrl } from '../../lib/recordings/recording-url.ts';
import type { RecordingProblem } from '../../lib/recordings/schema.ts';
import { answerTo, bodyOf, RecordingFault, type RecordingLimits, type SendGet } from './recording-https.ts';

/** A recording whose host has begun to send it. */
export interface OpenRecording {
  readonly contentType: string;
  /** Throws a `RecordingFault` if not all of it comes. */
  readonly body: AsyncIterable<Buffer>;
}

/** Asks a host for a recording. */
export type FetchRecording = (url: string) => Promise<Result<OpenRecording, RecordingProblem>>;

/** From where recordings may be fetched, and how. */
export interface FetchSettings {
  readonly hosts: readonly string[];
  readonly maxBytes: number;
  readonly send: SendGet;
  readonly limits?: RecordingLimits;
}

/** As deployed. A run has a quarter of an hour for all recordings of a call. */
export const recordingLimits: RecordingLimits = { silenceMs: 20_000, wholeMs: 5 * 60_000 };

const maxRedirects = 3;

/** No credentials, and no compression: what is stored is what the host has. */
const headers = { Accept: 'audio/*, */*;q=0.5', 'Accept-Encoding': 'identity', 'User-Agent': 'callfeed' };

/** Fetches recordings from hosts of a list. Each redirect is checked like the URL itself. */
export const fetchRecording =
  ({ hosts, maxBytes, send, limits = recordingLimits }: FetchSettings): FetchRecording =>
  async (text) => {
    const whole = AbortSignal.timeout(limits.wholeMs);
    const ask = async (address: string, redirects: number): ReturnType<FetchRecording> => {
      const url = checkedUrl(address, hosts);
      if (!url.ok) return url;
      const response = await answerTo(send(url.value, { headers, signal: whole }), limits, whole);
      const location = redirectOf(response);
      if (location === undefined) return opened(response, { ...limits, maxBytes }, whole);
      response.destroy();
      if (redirects === maxRedirects) return fail('redirected-too-often');
      return ask(URL.canParse(location, address) ? new URL(location, address).href : location, redirects + 1);
    };
    try {
      return await ask(text, 0);
    } catch (error) {
      if (error instanceof RecordingFault) return fail(error.problem);
      throw error;
    }
  };

const redirectStatuses: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

const redirectOf = ({ statusCode, headers: { location } }: IncomingMessage): string | undefined =>
  redirectStatuses.has(statusCode) ? location : undefined;

const opened = async (
  response: IncomingMessage,
  limits: RecordingLimits & { readonly maxBytes: number },
  whole: AbortSignal,
): Promise<Result<OpenRecording, RecordingProblem>> => {
  const problem = problemOfHead(response, limits.maxBytes);
  if (problem !== undefined) {
    response.destroy();
    return fail(problem);
  }
  const body = bodyOf(response, limits, whole);
  const beginning = await beginningOf(body);
  if (beginning.length === 0) return fail('empty');
  if (isText(beginning)) {
    response.destroy();
    return fail('not-audio');
  }
  return ok({ contentType: recordingType(response.headers['content-type']), body: joined(beginning, body) });
};

const problemsByStatus: Readonly<Record<number, RecordingProblem>> = {
  204: 'empty',
  401: 'not-allowed',
  403: 'not-allowed',
  404: 'not-found',
  410: 'not-found',
};

const problemOfHead = (
  { statusCode = 0, headers: head }: IncomingMessage,
  maxBytes: number,
): RecordingProblem | undefined => {
  if (statusCode !== 200) return problemsByStatus[statusCode] ?? 'http-error';
  // What may be another answer later comes first: it is asked for again.
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/i.test(head['content-type'] ?? '')) return 'not-audio';
  if (head['content-length'] === '0') return 'empty';
  if (isCoded(head['content-encoding'], 'identity') || isCoded(head['transfer-encoding'], 'chunked'))
    return 'compressed';
  return Number(head['content-length']) > maxBytes ? 'too-large' : undefined;
};

/** Whether a header names a coding besides the one that leaves the bytes as they are. */
const isCoded = (header: string | undefined, plain: string): boolean =>
  !['', plain].includes((header ?? '').trim().toLowerCase());

/** Enough to tell a page from audio. */
const beginningBytes = 512;

const beginningOf = async (body: AsyncGenerator<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  while (bytes < beginningBytes) {
    const { value, done } = await body.next();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
  }
  return Buffer.concat(chunks);
};

/** Whether it is HTML, XML or JSON, whatever its type says. Audio without a container may begin so, but is not all text. */
const isText = (beginning: Buffer): boolean =>
  /^(?:\xef\xbb\xbf)?\s*(?:<[!?a-z]|[[{]\s*["{}[\]])[\s\x20-\xff]*$/i.test(beginning.toString('latin1'));

async function* joined(beginning: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  yield* rest;
}
