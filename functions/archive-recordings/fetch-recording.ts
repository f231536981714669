import { redactedText } from '../../lib/accounts/redact-secrets.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import {
  type lastingProblems,
  type RecordingNote,
  type RecordingProblem,
  recordingType,
} from '../../lib/recordings/schema.ts';
import {
  type HttpAnswer,
  HttpFault,
  type HttpProblem,
  type HttpRoute,
  httpClient,
  unlessFault,
} from '../adapters/http-client.ts';
import type { ArchiveRecordingsEnv } from './environment.ts';

interface OpenRecording {
  readonly contentType: string;
  readonly note?: RecordingNote | undefined;
  readonly body: AsyncIterable<Buffer>;
}

export type FetchRecording = (url: string) => Promise<Result<OpenRecording, RecordingProblem>>;

interface FetchSettings {
  readonly env: Pick<ArchiveRecordingsEnv, 'RECORDING_HOSTS' | 'RECORDING_MAX_MEGABYTES'>;
  /** With a look-up that refuses private addresses, or through an emulator. */
  readonly route: HttpRoute & (Required<Pick<HttpRoute, 'lookup'>> | Required<Pick<HttpRoute, 'through'>>);
  readonly limits?: typeof recordingLimits;
}

/** How long a host may be silent, and how long the whole may take. A run has a quarter of an hour for all recordings of a call. */
export const recordingLimits = { silenceMs: 20_000, wholeMs: 5 * 60_000 };

const maxRedirects = 3;

/** No credentials, and no compression: what is stored is what the host has. */
const headers = { Accept: 'audio/*, */*;q=0.5', 'Accept-Encoding': 'identity', 'User-Agent': 'callfeed' };

/** Fetches recordings from hosts of a list. Each redirect is checked like the URL itself. */
export const fetchRecording = ({ env, route, limits = recordingLimits }: FetchSettings): FetchRecording => {
  const maxBytes = env.RECORDING_MAX_MEGABYTES * 1_000_000;
  const checkUrl = (address: string) => checkedUrl(address, env.RECORDING_HOSTS);
  const ask = httpClient({ ...limits, maxBytes, checkUrl, maxRedirects, route });
  return async (url) => {
    const answer = await ask(url, { method: 'GET', headers });
    if (!answer.ok) return fail(recordingProblem(answer.problem.problem));
    const recording = await unlessFault(opened(answer.value, maxBytes));
    return recording.ok ? recording.value : fail(recordingProblem(recording.problem.problem));
  };
};

/** The URL if it is https, at one of the hosts, and nothing besides host, path and query. Redirects are checked too. */
const checkedUrl = (text: string, hosts: readonly string[]): Result<URL, keyof typeof lastingProblems> => {
  if (!URL.canParse(text)) return fail('not-a-url');
  const url = new URL(text);
  if (url.protocol !== 'https:') return fail('not-https');
  if (url.username !== '' || url.password !== '') return fail('user-info');
  if (url.port !== '') return fail('other-port');
  if (!hosts.includes(url.hostname)) return fail('other-host');
  // The address had the account's key in it. Callfeed stores no key, so this address cannot be fetched.
  return text.includes(redactedText) ? fail('key-removed') : ok(url);
};

/** A request is `unsendable` only if its address is no URL. All other problems keep their name. */
export const recordingProblem = (problem: HttpProblem | RecordingProblem): RecordingProblem =>
  problem === 'unsendable' ? 'not-a-url' : problem;

const opened = async (answer: HttpAnswer, maxBytes: number): ReturnType<FetchRecording> => {
  const problem = problemOfHead(answer, maxBytes);
  if (problem !== undefined) {
    answer.discard();
    return fail(problem);
  }
  const beginning = await beginningOf(answer.body);
  if (beginning.length === 0) return fail('empty');
  if (isText(beginning)) {
    answer.discard();
    return fail('not-audio');
  }
  const { headers: head, isBroken } = answer;
  const note = noteOf(head);
  const rest = note === undefined ? answer.body : unlessBroken(answer.body, isBroken);
  return ok({ contentType: recordingType(head['content-type']), note, body: joined(beginning, rest) });
};

/** Without a length and without chunks, the body ends when the connection ends, whatever the cause. */
const noteOf = (head: HttpAnswer['headers']): RecordingNote | undefined =>
  head['content-length'] === undefined && !head['transfer-encoding'] ? 'no-length' : undefined;

const problemsByStatus: Readonly<Record<number, RecordingProblem>> = {
  204: 'empty',
  401: 'not-allowed',
  403: 'not-allowed',
  404: 'not-found',
  410: 'not-found',
};

const problemOfHead = ({ status, headers: head }: HttpAnswer, maxBytes: number): RecordingProblem | undefined => {
  if (status !== 200) return problemsByStatus[status] ?? 'http-error';
  // First the problems that another attempt may mend: these are retried.
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/i.test(head['content-type'] ?? '')) return 'not-audio';
  if (head['content-length'] === '0') return 'empty';
  if (isCoded(head['content-encoding'], 'identity') || isCoded(head['transfer-encoding'], 'chunked'))
    return 'compressed';
  return Number(head['content-length']) > maxBytes ? 'too-large' : undefined;
};

/** Whether a header names a coding besides the one that leaves the bytes as they are. */
const isCoded = (header: string | undefined, plain: string): boolean =>
  !['', plain].includes((header ?? '').toLowerCase());

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

async function* unlessBroken(body: AsyncGenerator<Buffer>, isBroken: () => boolean): AsyncGenerator<Buffer> {
  yield* body;
  if (isBroken()) throw new HttpFault('connection');
}
