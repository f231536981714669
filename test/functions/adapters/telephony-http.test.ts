import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfterSeconds, telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { holdsAsync } from '../../support/arbitraries.ts';
import { startHttpServer, startTcpServer } from '../../support/local-servers.ts';

const megabyte = 1024 * 1024;

const post = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  telephonyHttp({ timeoutMs: 30_000 }).post({ url, headers, body: '{"userName":"demo"}' });

/** What becomes of a post that is answered like this. */
const postTo = async (listener: RequestListener) => post((await startHttpServer(listener)).url, { apiKey: 'the-key' });

const failure = (reason: string) => ({ ok: false, problem: { reason } });
/** Before there was a connection. */
const unsent = (reason: string) => ({ ok: false, problem: { reason, isUnsent: true } });

describe('telephonyHttp', () => {
  it.each(['post', 'get'] as const)(
    'sends a %s of JSON with the headers of the request, and returns any answer',
    async (method) => {
      const seen: unknown[] = [];
      const { url } = await startHttpServer(async (request, response) => {
        const { headers } = request;
        seen.push([request.method, request.url, headers['content-type'], headers['apikey'], await text(request)]);
        response.writeHead(405, { 'Retry-After': '7' }).end('{"é":1}');
      });
      const request = {
        url: `${url}/ca_reports/x?pageNo=1`,
        headers: { apiKey: 'the-key' },
        body: '{"userName":"demo é"}',
      };
      const answer = await telephonyHttp({ timeoutMs: 30_000 })[method](request);

      expect(answer).toEqual({ ok: true, value: { status: 405, text: '{"é":1}', retryAfterSeconds: 7 } });
      const sent = ['/ca_reports/x?pageNo=1', 'application/json', 'the-key', request.body];
      expect(seen).toEqual([[method.toUpperCase(), ...sent]]);
    },
  );

  it.each([200, 201, 204, 400, 401, 403, 404, 405, 418, 429, 500, 502, 503, 599, 999])(
    'returns status %i as an answer like any other',
    async (status) => {
      const body = status === 204 ? '' : 'no JSON <at> all';

      const answer = await postTo((_request, response) => void response.writeHead(status).end(body));

      expect(answer).toEqual({ ok: true, value: { status, text: body } });
    },
  );

  it('fails as connection if nobody listens', async () => {
    const { url, server } = await startHttpServer(() => undefined);
    server.close();
    await once(server, 'close');

    expect(await post(url)).toEqual(unsent('connection'));
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'does not follow a redirect with %i, so that the credentials go nowhere else',
    async (status) => {
      const contacted: unknown[] = [];
      const target = await startHttpServer((request, response) => {
        contacted.push(request.headers);
        response.end('{}');
      });
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const redirect: RequestListener = (_request, response) =>
        response.once('close', resolve).writeHead(status, { location: target.url }).flushHeaders();

      expect(await postTo(redirect)).toEqual(failure('redirect'));
      expect(contacted).toEqual([]);
      await closed;
    },
  );

  it.each([
    [16 * megabyte, 16 * megabyte],
    [16 * megabyte + 1, 'too-large'],
  ])('reads of an answer of %i bytes %s', async (bytes, read) => {
    const answer = await postTo((_request, response) => void response.end('x'.repeat(bytes)));

    expect(answer.ok ? answer.value.text.length : answer.problem.reason).toBe(read);
  });

  it.each([
    ['a key with a line break', 'https://service.invalid', 'key\r\nx-admin: 1', 'unsendable'],
    ['a key beyond Latin letters', 'https://service.invalid', 'ключ', 'unsendable'],
    ['a key with a zero byte', 'https://service.invalid', 'key\0', 'unsendable'],
    ['an address without a scheme', 'service.invalid', 'key', 'unsendable'],
    ['an address of no host', 'http://', 'key', 'unsendable'],
    ['an address of another kind', 'data:application/json,{}', 'key', 'unsendable'],
    ['a file', 'file:///etc/hostname', 'key', 'unsendable'],
    ['credentials in the address', 'https://user:password@service.invalid', 'key', 'unsendable'],
    ['a name without an address', 'http://no-such-host.invalid/', 'key', 'connection'],
  ])('sends nothing for %s', async (_title, url, apiKey, reason) => {
    expect(await post(url, { apiKey })).toEqual(unsent(reason));
  });

  it('reuses the connection for the next poll, as long as the service permits', async () => {
    let connections = 0;
    const { url, server } = await startHttpServer((_request, response) => void response.end('{}'));
    server.keepAliveTimeout = 60_000;
    server.on('connection', () => connections++);
    const service = telephonyHttp({ timeoutMs: 5_000 });

    for (let poll = 0; poll < 3; poll++) {
      await service.post({ url, headers: {}, body: '{}' });
      await pause(20);
    }

    expect(connections).toBe(1);
  });
});

const date = 'Fri, 20 Nov 2026 06:00:00 GMT';

describe('retryAfterSeconds', () => {
  it.each([
    ['seconds', '120', 120],
    ['no seconds', '0', 0],
    ['a date, by the sender’s clock', 'Fri, 20 Nov 2026 06:01:30 GMT', 90],
    ['a date in the past', 'Fri, 20 Nov 2026 05:00:00 GMT', 0],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['a date by another clock', 'Fri, 20 Nov 2026 06:01:30 GMT+01:00', undefined],
    ['an invalid date', 'Fri, 99 Nov 2026 06:01:30 GMT', undefined],
    ['nothing', '', undefined],
  ])('parses %s', (_title, header, seconds) => {
    expect(retryAfterSeconds({ 'retry-after': header, date })).toBe(seconds);
  });

  it.each([{ 'retry-after': 'Fri, 20 Nov 2026 06:01:30 GMT' }, { date }])('is undefined for %o alone', (headers) => {
    expect(retryAfterSeconds(headers)).toBeUndefined();
  });
});

const maxBytes = 64 * 1024;

/** The status and text of the answer that is read, or the reason why none is. */
const outcomeOf = async (url: string, timeoutMs: number): Promise<string> => {
  const answer = await telephonyHttp({ timeoutMs, maxBytes }).post({ url, headers: {}, body: '{}' });
  if (answer.ok) return `${answer.value.status} ${answer.value.text}`;
  return `${answer.problem.isUnsent ? 'unsent ' : ''}${answer.problem.reason}`;
};

type Response = string | Buffer | ((socket: Socket) => void);

const head = (lines: readonly string[], status = 'HTTP/1.1 200 OK'): string => [status, ...lines, '', ''].join('\r\n');
/** A response with this content length, right or wrong. */
const withLength = (body: string | Buffer, length: number, more: readonly string[] = []): Buffer =>
  Buffer.concat([Buffer.from(head([`Content-Length: ${length}`, ...more])), Buffer.from(body)]);
const complete = (body: string | Buffer, more: readonly string[] = []): Buffer =>
  withLength(body, Buffer.byteLength(body), more);
const encoded = (encoding: string, body: Buffer) => complete(body, [`Content-Encoding: ${encoding}`]);

const piecewise = (start: string, pieces: Iterable<string>, everyMs: number) => (socket: Socket) => {
  socket.write(start);
  const rest = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const next = rest.next();
    if (next.done) clearInterval(timer);
    else socket.write(next.value);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
};

const inTwo = (response: Buffer, at: number) => (socket: Socket) => {
  socket.write(response.subarray(0, at));
  setTimeout(() => socket.end(response.subarray(at)), 20);
};

/** Client and server share a process, so an endless response leaves pauses. */
const endless = (start: string, piece: string) =>
  piecewise(
    start,
    (function* () {
      for (;;) yield piece.repeat(Math.ceil(16_384 / piece.length));
    })(),
    5,
  );

const floor = JSON.stringify({ status: 'success', message: [{ AgentId: 'a', AgentState: 'READY' }] });
const large = Buffer.from(floor.padEnd(8 * maxBytes));
const twiceGzipped = gzipSync(gzipSync(large));
const chunked = head(['Transfer-Encoding: chunked']);

const responses: Readonly<Record<string, Readonly<Record<string, Response>>>> = {
  timeout: {
    'no answer': () => undefined,
    'informational answers without end': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
    'a character at a time': piecewise('', complete(floor).toString(), 100),
    'a body that hardly arrives': piecewise(head(['Content-Length: 99']), floor, 100),
  },
  connection: {
    'a closed connection': (socket) => socket.destroy(),
    'a connection that is reset': (socket) => socket.resetAndDestroy(),
    'half a status line': 'HTTP/1.1 2',
    'what is not HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'less than its length': withLength(floor, floor.length + 10),
    'a negative length': withLength(floor, -1),
    'a length of letters': head(['Content-Length: many']) + floor,
    'two lengths': head(['Content-Length: 5', 'Content-Length: 6']) + floor,
    'length and chunks': head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + floor,
    'a chunk without a size': `${chunked}zz\r\n${floor}\r\n0\r\n\r\n`,
    'a chunk too short': `${chunked}ff\r\n${floor}\r\n`,
    'a chunk of a giant size': `${chunked}ffffffffffffffff\r\n${floor}\r\n`,
    'headers without end': endless('HTTP/1.1 200 OK\r\n', 'X-Odd: x\r\n'),
    'a header without end': endless('HTTP/1.1 200 OK\r\nX-Odd: ', 'x'),
    'large headers': complete(floor, [`X-Odd: ${'x'.repeat(30_000)}`]),
    'odd bytes in headers': complete(floor, ['X-Odd: \u0000\u0001\u00ff', 'X-Folded: a\r\n b']),
    'bare line feeds': `HTTP/1.1 200 OK\nContent-Length: ${floor.length}\n\n${floor}`,
    'invalid gzip': encoded('gzip', Buffer.from(floor)),
    'invalid brotli': encoded('br', Buffer.from(floor)),
    'gzip and then more': encoded('gzip', Buffer.concat([gzipSync(floor), Buffer.from('more')])),
    'another protocol': head(['Upgrade: websocket', 'Connection: Upgrade'], 'HTTP/1.1 101 Switching Protocols'),
  },
  'too-large': {
    'more than the limit': complete(large),
    'chunks without end': endless(chunked, `400\r\n${'x'.repeat(1_024)}\r\n`),
    'a body without end': endless(head(['Connection: close']), 'x'),
    'a zip bomb': encoded('gzip', gzipSync(large)),
    'a brotli bomb': encoded('br', brotliCompressSync(large)),
  },
  redirect: {
    'a redirect': head(['Location: http://127.0.0.1:9/', 'Content-Length: 0'], 'HTTP/1.1 302 Found'),
    'a redirect to nowhere': head(['Location: \\\\', 'Content-Length: 0'], 'HTTP/1.1 307 Temporary Redirect'),
  },
  [`200 ${floor}`]: {
    'more than its length': withLength(`${floor}more`, floor.length),
    gzip: encoded('gzip', gzipSync(floor)),
    deflate: encoded('deflate', deflateSync(floor)),
    'an unknown content encoding': encoded('zip', Buffer.from(floor)),
    'many headers': complete(
      floor,
      Array.from({ length: 500 }, (_, index) => `X-${index}: x`),
    ),
    'odd retry times': complete(floor, ['Retry-After: -1', 'Retry-After: 1e9', 'Date: never']),
    'no reason phrase': head([`Content-Length: ${floor.length}`], 'HTTP/1.1 200') + floor,
    'HTTP/1.0': `HTTP/1.0 200 OK\r\n\r\n${floor}`,
    'two answers': Buffer.concat([complete(floor), complete('{}')]),
    'an answer in pieces': piecewise('', complete(floor).toString(), 1),
  },
  '200 é€': { 'a character in two chunks': inTwo(complete('é€'), -4) },
  // As it came: each further encoding could multiply what there is to decode.
  [`200 ${twiceGzipped}`]: {
    'gzip in gzip': encoded('gzip, gzip', twiceGzipped),
    'gzip four times, in two headers': complete(twiceGzipped, Array(2).fill('Content-Encoding: gzip, gzip')),
  },
  // What there is of it, which is not JSON.
  '200 {"status"': { 'half of gzip': encoded('gzip', gzipSync(floor).subarray(0, 20)) },
  '200 "\ufffd\ufffd"': { 'what is not UTF-8': complete(Buffer.from([0x22, 0xff, 0xfe, 0x22])) },
  '999 ': { 'an odd status': head(['Content-Length: 0'], 'HTTP/1.1 999 \u0001') },
  '204 ': { 'a body with status 204': head([`Content-Length: ${floor.length}`], 'HTTP/1.1 204 No Content') + floor },
};

const respond = (response: Response) => (socket: Socket) =>
  void (typeof response === 'function' ? response(socket) : socket.end(response));

describe('telephonyHttp', () => {
  it('reads malformed responses as what they hold, or fails with a reason', async () => {
    const outcomes = Object.entries(responses).map(async ([outcome, named]) => {
      const timeoutMs = outcome === 'timeout' ? 500 : 10_000;
      const found = Object.entries(named).map(async ([name, response]) => [
        name,
        await outcomeOf(await startTcpServer(respond(response)), timeoutMs),
      ]);
      const expected = Object.keys(named).map((name) => [name, outcome]);
      expect(await Promise.all(found)).toEqual(expected);
    });

    await Promise.all(outcomes);
  });

  it('reads any bytes as an answer, or fails with a reason', async () => {
    const answer = [...complete(floor)];
    const damage = fc.tuple(fc.nat(answer.length - 1), fc.nat(255));
    const damaged = fc
      .array(damage, { minLength: 1, maxLength: 5 })
      .map((changes) => changes.reduce((bytes, [at, byte]) => bytes.with(at, byte), answer));
    const truncated = fc.nat(answer.length).map((length) => answer.slice(0, length));
    let sent: readonly number[] = [];
    const url = await startTcpServer((socket) => void socket.end(Buffer.from(sent)));

    await holdsAsync(
      fc.asyncProperty(fc.oneof(damaged, truncated, fc.array(fc.nat(255))), async (bytes) => {
        sent = bytes;
        expect(await outcomeOf(url, 10_000)).toMatch(/^(connection|redirect|too-large|[1-9]\d\d )/);
      }),
    );
  });
});
