import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { it } from 'vitest';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { maxLoginsBytes } from '../../../lib/agents/get-agent-logins.ts';
import type { TelephonyService } from '../../../lib/service/service.ts';
import { weighted } from '../../support/arbitraries.ts';
import { isFull, must, mustHappen, show, tryCases } from '../property.ts';
import { goodAnswer, listed, pollsThrough } from './poller.ts';

const everybody = ['asha', 'meera', 'ravi'];
const agents = everybody.map((id) => listed(id));
const answerOf = (message: unknown, status = 'success') => JSON.stringify({ status, message });
const good = goodAnswer(agents);
/** The good answer with one more record, as JSON. */
const withRecord = (record: string) => good.replace(']}', `,${record}]}`);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Bodies of answers, and who is not logged in according to them. */
const bodies: Readonly<Record<string, { readonly text: () => string; readonly gone?: readonly string[] }>> = {
  good: { text: () => good },
  'one agent less': { text: () => answerOf(agents.slice(1)), gone: ['asha'] },
  'an empty list': { text: () => answerOf([]), gone: everybody },
  'the message for nobody': { text: () => answerOf('No Data Found', 'error'), gone: everybody },
  'a record with __proto__': {
    text: () => withRecord('{"AgentId":"x","AgentState":"ACW","__proto__":{"isAdmin":true}}'),
  },
  'a record nested 100 levels': { text: () => withRecord(`{"AgentId":"y","AgentState":"ACW","Tree":${nested(100)}}`) },
  'a record that is nested 10,000 levels': { text: () => withRecord(nested(10_000)) },
  'a long message': { text: () => answerOf('token and key '.repeat(30_000), 'error') },
  'a message of quotes': { text: () => answerOf('apikey=\\"\'['.repeat(20_000), 'error') },
  'many empty records': { text: () => answerOf(Array(50_000).fill({})) },
  'texts like keys': {
    text: () => answerOf([...agents, ...Array(5_000).fill({ AgentId: "apikey='", AgentState: '\\u0041pikey: "' })]),
  },
  'more than is read': { text: () => good.padEnd(maxLoginsBytes + 1) },
  'as much as is read, of texts like keys': {
    text: () => answerOf(Array(140_000).fill({ AgentId: '\\apikey=' })),
    gone: everybody,
  },
  'a page': { text: () => '<!doctype html><title>Maintenance</title>' },
  nothing: { text: () => '' },
};

const encodings: Readonly<Record<string, readonly [label: string, encode: (body: Buffer) => Buffer]>> = {
  plain: ['', (body) => body],
  gzip: ['gzip', gzipSync],
  deflate: ['deflate', deflateSync],
  br: ['br', (body) => brotliCompressSync(body)],
  'half of gzip': ['gzip', (body) => gzipSync(body).subarray(0, 40)],
  'gzip twice': ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  'gzip four times': ['gzip, gzip, gzip, gzip', (body) => gzipSync(gzipSync(gzipSync(gzipSync(body))))],
  'a wrong label': ['br', gzipSync],
  'an unknown label': ['zstd, x', (body) => body],
};

/** How the bytes are sent after the head, and whether all of them arrive. */
const deliveries: Readonly<Record<string, (socket: Socket, bytes: Buffer) => void>> = {
  whole: (socket, bytes) => void socket.end(bytes),
  'in pieces': (socket, bytes) => {
    for (let at = 0; at < bytes.length; at += 65_536) socket.write(bytes.subarray(at, at + 65_536));
    socket.end();
  },
  cut: (socket, bytes) => void socket.end(bytes.subarray(0, bytes.length / 2)),
  stalled: (socket, bytes) => void socket.write(bytes.subarray(0, bytes.length / 2)),
  reset: (socket, bytes) => void socket.write(bytes.subarray(0, bytes.length / 2), () => socket.resetAndDestroy()),
};

/** The headers that say where the body ends. */
const framings: Readonly<Record<string, (length: number) => string>> = {
  length: (length) => `Content-Length: ${length}`,
  none: () => 'Connection: close',
  'too short a length': (length) => `Content-Length: ${Math.floor(length / 2)}`,
  'too long a length': (length) => `Content-Length: ${length + 9}`,
  'chunks that are none': () => 'Transfer-Encoding: chunked',
};

const kindOf = <Kinds extends object>(kinds: Kinds, usual: keyof Kinds & string) =>
  weighted([2, fc.constant<string>(usual)], [1, fc.constantFrom(...Object.keys(kinds))]);

const cases = fc.record({
  body: fc.constantFrom(...Object.keys(bodies)),
  encoding: kindOf(encodings, 'plain'),
  delivery: kindOf(deliveries, 'whole'),
  framing: kindOf(framings, 'length'),
  status: weighted(
    [3, fc.constant(200)],
    [1, fc.constantFrom(201, 202, 204, 206, 226, 304, 400, 401, 404, 429, 500, 503, 999)],
  ),
  retryAfter: fc.constantFrom('', '0', '5', '-1', '1e9', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon'),
});
type HostileAnswer = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

const send = (socket: Socket, { body, encoding, delivery, framing, status, retryAfter }: HostileAnswer): void => {
  const [label, encode] = encodings[encoding] ?? ['', (plain: Buffer) => plain];
  const bytes = encode(Buffer.from(bodies[body]?.text() ?? ''));
  const head = [
    `HTTP/1.1 ${status} x`,
    `Content-Encoding: ${label}`,
    `Retry-After: ${retryAfter}`,
    'Date: Fri, 20 Nov 2026 06:00:00 GMT',
  ];
  socket.write(`${[...head, framings[framing]?.(bytes.length) ?? ''].join('\r\n')}\r\n\r\n`);
  deliveries[delivery]?.(socket, bytes);
};

const sendGood = (socket: Socket): void => {
  socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${good.length}\r\n\r\n${good}`);
};

const startService = async (answer: (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    // A connection that is kept open may bring another request; its body may come by itself.
    socket.on('data', (bytes) => bytes.toString('latin1').startsWith('POST ') && answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

/** Whether the answer arrives as it was meant, so that somebody may be logged out by it. */
const isWhole = ({ encoding, delivery, framing }: HostileAnswer): boolean =>
  ['plain', 'gzip', 'deflate', 'br', 'an unknown label'].includes(encoding) &&
  ['whole', 'in pieces'].includes(delivery) &&
  ['length', 'none'].includes(framing);

const mayBeGone = (answer: HostileAnswer): readonly string[] => {
  const isGood =
    [200, 201].includes(answer.status) ||
    (answer.body === 'the message for nobody' && [400, 404].includes(answer.status));
  return isGood && isWhole(answer) ? (bodies[answer.body]?.gone ?? []) : [];
};

/** Short, because what never ends shall not last long; the good answers of a busy machine get more. */
const odd = telephonyHttp({ timeoutMs: 150, maxBytes: maxLoginsBytes });
const patient = telephonyHttp({ timeoutMs: 30_000 });

it('a poll ends in its time whatever a faulty or hostile service answers over HTTP', async () => {
  const counters = await tryCases(cases, isFull ? 2_000 : 40, async (answer) => {
    let isOdd = false;
    const service = await startService((socket) => (isOdd ? send(socket, answer) : sendGood(socket)));
    const through = (http: TelephonyService, odd: boolean): TelephonyService => ({
      post(request) {
        isOdd = odd;
        return http.post(request);
      },
    });
    try {
      const outcome = await pollsThrough({
        agents,
        odd: through(odd, true),
        good: through(patient, false),
        afterMs: 15_000,
        account: { userName: 'hostile', apiKeys: ['key-of-hostile'], baseUrl: service.url },
        mayLogOut: (agentId) => mayBeGone(answer).includes(agentId),
        intact: [],
        secrets: ['key-of-hostile'],
      });
      const isReadable = answer.status === 200 && answer.encoding === 'plain' && isWhole(answer);
      const isSpoilt = isReadable && !['read', 'timeout'].includes(outcome);
      must(!(isSpoilt && answer.body.startsWith('a record')), () => 'One record spoils the others');
      return { [outcome]: 1 };
    } finally {
      service.stop();
    }
  });
  show('answers over HTTP', counters);
  mustHappen(counters, 'read', 'timeout');
});
