import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from '../accounts.ts';
import { damaged, drips, encoded, forEver, garbage, head, says, whole, withLength } from './tell.ts';

/** A way of answering a request that no good server has. */
export interface Lie {
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

type Told = Omit<Lie, 'mayBeAnswered'>;

const neverAnswers: readonly Told[] = [
  { name: 'no word', tell: () => undefined },
  { name: 'hangs up', tell: (socket) => socket.destroy() },
  { name: 'half a status line', tell: says('HTTP/1.1 2') },
  { name: 'no HTTP', tell: says('hello\r\n\r\n') },
  { name: 'shorter than it says', tell: says(withLength(floor, floor.length + 10)) },
  { name: 'a negative length', tell: says(withLength(floor, -1)) },
  { name: 'a length of letters', tell: says(head(['Content-Length: many']) + floor) },
  { name: 'two lengths', tell: says(head(['Content-Length: 5', 'Content-Length: 6']) + floor) },
  { name: 'length and chunks', tell: says(head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + floor) },
  { name: 'a chunk of no size', tell: says(`${chunked}zz\r\n${floor}\r\n0\r\n\r\n`) },
  { name: 'a chunk too short', tell: says(`${chunked}ff\r\n${floor}\r\n`) },
  { name: 'a chunk of a giant size', tell: says(`${chunked}ffffffffffffffff\r\n${floor}\r\n`) },
  { name: 'chunks without end', tell: forEver(chunked, `400\r\n${'x'.repeat(1_024)}\r\n`) },
  { name: 'a body without end', tell: forEver(head(['Connection: close']), 'x'.repeat(1_024)) },
  { name: 'headers without end', tell: forEver('HTTP/1.1 200 OK\r\n', 'X-Odd: x\r\n') },
  { name: 'a header without end', tell: forEver('HTTP/1.1 200 OK\r\nX-Odd: ', 'x'.repeat(1_024)) },
  { name: 'informational answers without end', tell: forEver('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n') },
  { name: 'drips', tell: drips(whole(floor).toString(), 100) },
  { name: 'larger than it may be', tell: says(whole(large)) },
  { name: 'a small package of much', tell: encoded('gzip', gzipSync(large)) },
  { name: 'a package in a package of much', tell: encoded('gzip, gzip', gzipSync(gzipSync(large))) },
  { name: 'much in brotli', tell: encoded('br', brotliCompressSync(large)) },
  { name: 'gzip that is none', tell: encoded('gzip', Buffer.from(floor)) },
  { name: 'brotli that is none', tell: encoded('br', Buffer.from(floor)) },
  {
    name: 'a redirect',
    tell: says(
      head(
        [`Location: http://127.0.0.1:9/?${encodeURIComponent(pollSecrets.join())}`, 'Content-Length: 0'],
        '302 Found',
      ),
    ),
  },
  {
    name: 'a redirect to nowhere',
    tell: says(head(['Location: \\\\', 'Content-Length: 0'], '307 Temporary Redirect')),
  },
  {
    name: 'another protocol',
    tell: says(head(['Upgrade: websocket', 'Connection: Upgrade'], '101 Switching Protocols')),
  },
];

const mayAnswer: readonly Told[] = [
  // What there is of it is read, and is no JSON.
  { name: 'half of gzip', tell: encoded('gzip', gzipSync(floor).subarray(0, 20)) },
  { name: 'longer than it says', tell: says(withLength(`${floor}more`, floor.length)) },
  { name: 'deflate', tell: encoded('deflate', deflateSync(floor)) },
  { name: 'gzip', tell: encoded('gzip', gzipSync(floor)) },
  { name: 'gzip and then more', tell: encoded('gzip', Buffer.concat([gzipSync(floor), Buffer.from('more')])) },
  { name: 'a package of unknown kind', tell: encoded('zip', Buffer.from(floor)) },
  {
    name: 'many headers',
    tell: says(
      whole(
        floor,
        Array.from({ length: 500 }, (_, index) => `X-${index}: x`),
      ),
    ),
  },
  { name: 'large headers', tell: says(whole(floor, [`X-Odd: ${'x'.repeat(30_000)}`])) },
  { name: 'odd bytes in headers', tell: says(whole(floor, ['X-Odd: \u0000\u0001\u00ff', 'X-Folded: a\r\n b'])) },
  { name: 'odd waits', tell: says(whole(floor, ['Retry-After: -1', 'Retry-After: 1e9', 'Date: never'])) },
  { name: 'odd status', tell: says(head(['Content-Length: 0'], '999 \u0001')) },
  {
    name: 'a body where there is none',
    tell: says(head([`Content-Length: ${floor.length}`], '204 No Content') + floor),
  },
  { name: 'no reason at all', tell: says(`HTTP/1.1 200\r\nContent-Length: ${floor.length}\r\n\r\n${floor}`) },
  { name: 'HTTP of long ago', tell: says(`HTTP/1.0 200 OK\r\n\r\n${floor}`) },
  { name: 'lines of one kind', tell: says(`HTTP/1.1 200 OK\nContent-Length: ${floor.length}\n\n${floor}`) },
  { name: 'no UTF-8', tell: says(whole(Buffer.from([0x22, 0xff, 0xfe, 0x22]))) },
  { name: 'two answers', tell: says(Buffer.concat([whole(floor), whole('{}')])) },
  { name: 'garbage', tell: (socket, random) => socket.end(garbage(random)) },
  { name: 'damaged', tell: (socket, random) => socket.end(damaged(random, floor)) },
  { name: 'cut', tell: (socket, random) => socket.end(whole(floor).subarray(0, between(random, 0, 120))) },
  { name: 'in pieces', tell: (socket, random) => drips(whole(floor).toString(), pick(random, [0, 1]))(socket) },
];

/** Ways that never make a readable answer, then ways that may. */
export const lies: readonly Lie[] = [
  ...neverAnswers.map((lie) => ({ ...lie, mayBeAnswered: false })),
  ...mayAnswer.map((lie) => ({ ...lie, mayBeAnswered: true })),
];
