import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from './accounts.ts';

const head = (lines: readonly string[], status = '200 OK'): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
/** An answer with this content length, right or wrong. */
const withLength = (body: string | Buffer, length: number, more: readonly string[] = []): Buffer =>
  Buffer.concat([Buffer.from(head([`Content-Length: ${length}`, ...more])), Buffer.from(body)]);
const completeResponse = (body: string | Buffer, more: readonly string[] = []): Buffer =>
  withLength(body, Buffer.byteLength(body), more);

const respondWith =
  (text: string | Buffer) =>
  (socket: Socket): void => {
    socket.end(text);
  };

const encoded = (encoding: string, body: Buffer) =>
  respondWith(completeResponse(body, [`Content-Encoding: ${encoding}`]));

/** Client and server share a process, so endless responses leave pauses. */
const burstBytes = 16 * 1024;
const betweenBurstsMs = 5;

const respondForever = (start: string, piece: string) => (socket: Socket) => {
  socket.write(start);
  const burst = piece.repeat(Math.ceil(burstBytes / piece.length));
  const timer = setInterval(() => socket.write(burst), betweenBurstsMs);
  socket.once('close', () => clearInterval(timer));
};

const respondSlowly = (text: string, everyMs: number) => (socket: Socket) => {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
};

const garbage = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: between(random, 1, 300) }, () => between(random, 0, 255)));

const damaged = (random: Random, text: string): Buffer => {
  const answer = completeResponse(text);
  for (let count = between(random, 1, 5); count > 0; count--)
    answer[between(random, 0, answer.length - 1)] = between(random, 0, 255);
  return answer;
};

/** A response that no correct server sends. */
export interface MalformedResponse {
  readonly name: string;
  /** Whether a client may nevertheless read an answer from it. */
  readonly mayBeAnswered: boolean;
  readonly respond: (socket: Socket, random: Random) => void;
}

/** The size limit of an answer in these trials. */
export const maxBytes = 64 * 1024;

const floor = JSON.stringify({ status: 'success', message: [{ AgentId: 'a', AgentState: 'READY' }] });
const large = Buffer.from(floor.padEnd(8 * maxBytes));

const chunked = head(['Transfer-Encoding: chunked']);

type ResponseDefinition = Omit<MalformedResponse, 'mayBeAnswered'>;

const neverAnswers: readonly ResponseDefinition[] = [
  { name: 'no answer', respond: () => undefined },
  { name: 'closed connection', respond: (socket) => socket.destroy() },
  { name: 'half a status line', respond: respondWith('HTTP/1.1 2') },
  { name: 'not HTTP', respond: respondWith('hello\r\n\r\n') },
  { name: 'shorter than its length', respond: respondWith(withLength(floor, floor.length + 10)) },
  { name: 'a negative length', respond: respondWith(withLength(floor, -1)) },
  { name: 'a length of letters', respond: respondWith(head(['Content-Length: many']) + floor) },
  { name: 'two lengths', respond: respondWith(head(['Content-Length: 5', 'Content-Length: 6']) + floor) },
  {
    name: 'length and chunks',
    respond: respondWith(head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + floor),
  },
  { name: 'a chunk without a size', respond: respondWith(`${chunked}zz\r\n${floor}\r\n0\r\n\r\n`) },
  { name: 'a chunk too short', respond: respondWith(`${chunked}ff\r\n${floor}\r\n`) },
  { name: 'a chunk of a giant size', respond: respondWith(`${chunked}ffffffffffffffff\r\n${floor}\r\n`) },
  { name: 'chunks without end', respond: respondForever(chunked, `400\r\n${'x'.repeat(1_024)}\r\n`) },
  { name: 'a body without end', respond: respondForever(head(['Connection: close']), 'x'.repeat(1_024)) },
  { name: 'headers without end', respond: respondForever('HTTP/1.1 200 OK\r\n', 'X-Odd: x\r\n') },
  { name: 'a header without end', respond: respondForever('HTTP/1.1 200 OK\r\nX-Odd: ', 'x'.repeat(1_024)) },
  {
    name: 'informational answers without end',
    respond: respondForever('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
  },
  { name: 'a character at a time', respond: respondSlowly(completeResponse(floor).toString(), 100) },
  { name: 'larger than the limit', respond: respondWith(completeResponse(large)) },
  { name: 'a zip bomb', respond: encoded('gzip', gzipSync(large)) },
  { name: 'a zip bomb in gzip', respond: encoded('gzip, gzip', gzipSync(gzipSync(large))) },
  { name: 'a brotli bomb', respond: encoded('br', brotliCompressSync(large)) },
  { name: 'invalid gzip', respond: encoded('gzip', Buffer.from(floor)) },
  { name: 'invalid brotli', respond: encoded('br', Buffer.from(floor)) },
  {
    name: 'a redirect',
    respond: respondWith(
      head(
        [`Location: http://127.0.0.1:9/?${encodeURIComponent(pollSecrets.join())}`, 'Content-Length: 0'],
        '302 Found',
      ),
    ),
  },
  {
    name: 'a redirect to nowhere',
    respond: respondWith(head(['Location: \\\\', 'Content-Length: 0'], '307 Temporary Redirect')),
  },
  {
    name: 'another protocol',
    respond: respondWith(head(['Upgrade: websocket', 'Connection: Upgrade'], '101 Switching Protocols')),
  },
];

const mayAnswer: readonly ResponseDefinition[] = [
  // The client reads what there is, which is not JSON.
  { name: 'half of gzip', respond: encoded('gzip', gzipSync(floor).subarray(0, 20)) },
  { name: 'longer than its length', respond: respondWith(withLength(`${floor}more`, floor.length)) },
  { name: 'deflate', respond: encoded('deflate', deflateSync(floor)) },
  { name: 'gzip', respond: encoded('gzip', gzipSync(floor)) },
  { name: 'gzip and then more', respond: encoded('gzip', Buffer.concat([gzipSync(floor), Buffer.from('more')])) },
  { name: 'an unknown content encoding', respond: encoded('zip', Buffer.from(floor)) },
  {
    name: 'many headers',
    respond: respondWith(
      completeResponse(
        floor,
        Array.from({ length: 500 }, (_, index) => `X-${index}: x`),
      ),
    ),
  },
  { name: 'large headers', respond: respondWith(completeResponse(floor, [`X-Odd: ${'x'.repeat(30_000)}`])) },
  {
    name: 'odd bytes in headers',
    respond: respondWith(completeResponse(floor, ['X-Odd: \u0000\u0001\u00ff', 'X-Folded: a\r\n b'])),
  },
  {
    name: 'odd retry times',
    respond: respondWith(completeResponse(floor, ['Retry-After: -1', 'Retry-After: 1e9', 'Date: never'])),
  },
  { name: 'odd status', respond: respondWith(head(['Content-Length: 0'], '999 \u0001')) },
  {
    name: 'a body with status 204',
    respond: respondWith(head([`Content-Length: ${floor.length}`], '204 No Content') + floor),
  },
  { name: 'no reason phrase', respond: respondWith(`HTTP/1.1 200\r\nContent-Length: ${floor.length}\r\n\r\n${floor}`) },
  { name: 'HTTP/1.0', respond: respondWith(`HTTP/1.0 200 OK\r\n\r\n${floor}`) },
  { name: 'bare line feeds', respond: respondWith(`HTTP/1.1 200 OK\nContent-Length: ${floor.length}\n\n${floor}`) },
  { name: 'not UTF-8', respond: respondWith(completeResponse(Buffer.from([0x22, 0xff, 0xfe, 0x22]))) },
  { name: 'two answers', respond: respondWith(Buffer.concat([completeResponse(floor), completeResponse('{}')])) },
  { name: 'random bytes', respond: (socket, random) => socket.end(garbage(random)) },
  { name: 'damaged bytes', respond: (socket, random) => socket.end(damaged(random, floor)) },
  {
    name: 'truncated',
    respond: (socket, random) => socket.end(completeResponse(floor).subarray(0, between(random, 0, 120))),
  },
  {
    name: 'in pieces',
    respond: (socket, random) => respondSlowly(completeResponse(floor).toString(), pick(random, [0, 1]))(socket),
  },
];

/** Responses that never make a readable answer, then those that may. */
export const malformedResponses: readonly MalformedResponse[] = [
  ...neverAnswers.map((response) => ({ ...response, mayBeAnswered: false })),
  ...mayAnswer.map((response) => ({ ...response, mayBeAnswered: true })),
];
