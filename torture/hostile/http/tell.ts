import type { Socket } from 'node:net';
import { between, type Random } from '../../../sandbox/simulator/random.ts';

/** The beginning of an answer. */
export const head = (lines: readonly string[], status = '200 OK'): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
/** An answer that says how long it is, rightly or not. */
export const withLength = (body: string | Buffer, length: number, more: readonly string[] = []): Buffer =>
  Buffer.concat([Buffer.from(head([`Content-Length: ${length}`, ...more])), Buffer.from(body)]);
/** An answer as it should be. */
export const whole = (body: string | Buffer, more: readonly string[] = []): Buffer =>
  withLength(body, Buffer.byteLength(body), more);

/** Says this and hangs up. */
export const says =
  (text: string | Buffer) =>
  (socket: Socket): void => {
    socket.end(text);
  };

/** Says this in a package. */
export const encoded = (encoding: string, body: Buffer) => says(whole(body, [`Content-Encoding: ${encoding}`]));

/** So much at a time, and so often, that others get a word in: who tells lies and who is told are one process. */
const burstBytes = 16 * 1024;
const betweenBurstsMs = 5;

/** Writes again and again until somebody hangs up. */
export const forEver = (start: string, piece: string) => (socket: Socket) => {
  socket.write(start);
  const burst = piece.repeat(Math.ceil(burstBytes / piece.length));
  const timer = setInterval(() => socket.write(burst), betweenBurstsMs);
  socket.once('close', () => clearInterval(timer));
};

/** A character at a time. */
export const drips = (text: string, everyMs: number) => (socket: Socket) => {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
};

/** Bytes that mean nothing. */
export const garbage = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: between(random, 1, 300) }, () => between(random, 0, 255)));

/** An answer of which some bytes are others. */
export const damaged = (random: Random, text: string): Buffer => {
  const answer = whole(text);
  for (let count = between(random, 1, 5); count > 0; count--)
    answer[between(random, 0, answer.length - 1)] = between(random, 0, 255);
  return answer;
};
