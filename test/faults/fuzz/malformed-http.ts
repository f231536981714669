import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from './accounts.ts';

/** The beginning of an answer. */
const head = (lines: readonly string[], status = '200 OK'): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
/** An answer that says how long it is, rightly or not. */
const withLength = (body: string | Buffer, length: number, more: readonly string[] = []): Buffer =>
  Buffer.concat([Buffer.from(head([`Content-Length: ${length}`, ...more])), Buffer.from(body)]);
/** An answer as it should be. */
const completeResponse = (body: string | Buffer, more: readonly string[] = []): Buffer =>
  withLength(body, Buffer.byteLength(body), more);

/** Says this and hangs up. */
const respondWith =
  (text: string | Buffer) =>
  (socket: Socket): void => {
    socket.end(text);
  };

/** Says this in a package. */
const encoded = (encoding: string, body: Buffer) =>
  respondWith(completeResponse(body, [`Content-Encoding: ${encoding}`]));

/** So much at a time, and so often, that others get a word in: who tells lies and who is told are one process. */
const burstBytes = 16 * 1024;
const betweenBurstsMs = 5;

/** Writes again and again until somebody hangs up. */
const respondForever = (start: string, piece: string) => (socket: Socket) => {
  socket.write(start);
  const burst = piece.repeat(Math.ceil(burstBytes / piece.length));
  const timer = setInterval(() => socket.write(burst), betweenBurstsMs);
  socket.once('close', () => clearInterval(timer));
};

/** A character at a time. */
const respondSlowly = (text: string, everyMs: number) => (socket: Socket) => {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
};

/** Bytes that mean nothing. */
const garbage = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: between(random, 1, 300) }, () => between(random, 0, 255)));

/** An answer of which some bytes are others. */
const damaged = (random: Random, text: string): Buffer => {
  const answer = completeResponse(text);
  for (let count = between(random, 1, 5); count > 0; count--)
    answer[between(random, 0, answer.length - 1)] = between(random, 0, 255);
  return answer;
};

/** A way of answering a request that no good server has. */
export interface MalformedResponse {
  readonly name: string;
  /** Whether a whole and readable answer may come of it all the same. */
  readonly mayBeAnswered: boolean;
  readonly tell: (socket: Socket, random: Random) => void;
}

/** An answer of more bytes than this is too large, in these trials. */
export const mostBytes = 64 * 1024;

const floor = JSON.stringify({ status: 'success', message: [{ AgentId: 'a', AgentState: 'READY' }] });
const large = Buffer.from(floor.padEnd(8 * mostBytes));

const chunked = head(['Transfer-Encoding: chunked']);

type ResponseDefinition = Omit<MalformedResponse, 'mayBeAnswered'>;

const neverAnswers: readonly ResponseDefinition[] = [
  { name: 'no word', tell: () => undefined },
  { name: 'hangs up', tell: (socket) => socket.destroy() },
  { name: 'half a status line', tell: respondWith('HTTP/1.1 2') },
  { name: 'no HTTP', tell: respondWith('hello\r\n\r\n') },
  { name: 'shorter than it says', tell: respondWith(withLength(floor, floor.length + 10)) },
  { name: 'a negative length', tell: respondWith(withLength(floor, -1)) },
  { name: 'a length of letters', tell: respondWith(head(['Content-Length: many']) + floor) },
  { name: 'two lengths', tell: respondWith(head(['Content-Length: 5', 'Content-Length: 6']) + floor) },
  { name: 'length and chunks', tell: respondWith(head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + floor) },
  { name: 'a chunk of no size', tell: respondWith(`${chunked}zz\r\n${floor}\r\n0\r\n\r\n`) },
  { name: 'a chunk too short', tell: respondWith(`${chunked}ff\r\n${floor}\r\n`) },
  { name: 'a chunk of a giant size', tell: respondWith(`${chunked}ffffffffffffffff\r\n${floor}\r\n`) },
  { name: 'chunks without end', tell: respondForever(chunked, `400\r\n${'x'.repeat(1_024)}\r\n`) },
  { name: 'a body without end', tell: respondForever(head(['Connection: close']), 'x'.repeat(1_024)) },
  { name: 'headers without end', tell: respondForever('HTTP/1.1 200 OK\r\n', 'X-Odd: x\r\n') },
  { name: 'a header without end', tell: respondForever('HTTP/1.1 200 OK\r\nX-Odd: ', 'x'.repeat(1_024)) },
  {
    name: 'informational answers without end',
    tell: respondForever('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
  },
  { name: 'drips', tell: respondSlowly(completeResponse(floor).toString(), 100) },
  { name: 'larger than it may be', tell: respondWith(completeResponse(large)) },
  { name: 'a small package of much', tell: encoded('gzip', gzipSync(large)) },
  { name: 'a package in a package of much', tell: encoded('gzip, gzip', gzipSync(gzipSync(large))) },
  { name: 'much in brotli', tell: encoded('br', brotliCompressSync(large)) },
  { name: 'gzip that is none', tell: encoded('gzip', Buffer.from(floor)) },
  { name: 'brotli that is none', tell: encoded('br', Buffer.from(floor)) },
  {
    name: 'a redirect',
    tell: respondWith(
      head(
        [`Location: http://127.0.0.1:9/?${encodeURIComponent(pollSecrets.join())}`, 'Content-Length: 0'],
        '302 Found',
      ),
    ),
  },
  {
    name: 'a redirect to nowhere',
    tell: respondWith(head(['Location: \\\\', 'Content-Length: 0'], '307 Temporary Redirect')),
  },
  {
    name: 'another protocol',
    tell: respondWith(head(['Upgrade: websocket', 'Connection: Upgrade'], '101 Switching Protocols')),
  },
];

const mayAnswer: readonly ResponseDefinition[] = [
  // What there is of it is read, and is no JSON.
  { name: 'half of gzip', tell: encoded('gzip', gzipSync(floor).subarray(0, 20)) },
  { name: 'longer than it says', tell: respondWith(withLength(`${floor}more`, floor.length)) },
  { name: 'deflate', tell: encoded('deflate', deflateSync(floor)) },
  { name: 'gzip', tell: encoded('gzip', gzipSync(floor)) },
  { name: 'gzip and then more', tell: encoded('gzip', Buffer.concat([gzipSync(floor), Buffer.from('more')])) },
  { name: 'a package of unknown kind', tell: encoded('zip', Buffer.from(floor)) },
  {
    name: 'many headers',
    tell: respondWith(
      completeResponse(
        floor,
        Array.from({ length: 500 }, (_, index) => `X-${index}: x`),
      ),
    ),
  },
  { name: 'large headers', tell: respondWith(completeResponse(floor, [`X-Odd: ${'x'.repeat(30_000)}`])) },
  {
    name: 'odd bytes in headers',
    tell: respondWith(completeResponse(floor, ['X-Odd: \u0000\u0001\u00ff', 'X-Folded: a\r\n b'])),
  },
  {
    name: 'odd waits',
    tell: respondWith(completeResponse(floor, ['Retry-After: -1', 'Retry-After: 1e9', 'Date: never'])),
  },
  { name: 'odd status', tell: respondWith(head(['Content-Length: 0'], '999 \u0001')) },
  {
    name: 'a body where there is none',
    tell: respondWith(head([`Content-Length: ${floor.length}`], '204 No Content') + floor),
  },
  { name: 'no reason at all', tell: respondWith(`HTTP/1.1 200\r\nContent-Length: ${floor.length}\r\n\r\n${floor}`) },
  { name: 'HTTP of long ago', tell: respondWith(`HTTP/1.0 200 OK\r\n\r\n${floor}`) },
  { name: 'lines of one kind', tell: respondWith(`HTTP/1.1 200 OK\nContent-Length: ${floor.length}\n\n${floor}`) },
  { name: 'no UTF-8', tell: respondWith(completeResponse(Buffer.from([0x22, 0xff, 0xfe, 0x22]))) },
  { name: 'two answers', tell: respondWith(Buffer.concat([completeResponse(floor), completeResponse('{}')])) },
  { name: 'garbage', tell: (socket, random) => socket.end(garbage(random)) },
  { name: 'damaged', tell: (socket, random) => socket.end(damaged(random, floor)) },
  { name: 'cut', tell: (socket, random) => socket.end(completeResponse(floor).subarray(0, between(random, 0, 120))) },
  {
    name: 'in pieces',
    tell: (socket, random) => respondSlowly(completeResponse(floor).toString(), pick(random, [0, 1]))(socket),
  },
];

/** Ways that never make a readable answer, then ways that may. */
export const malformedResponses: readonly MalformedResponse[] = [
  ...neverAnswers.map((lie) => ({ ...lie, mayBeAnswered: false })),
  ...mayAnswer.map((lie) => ({ ...lie, mayBeAnswered: true })),
];
