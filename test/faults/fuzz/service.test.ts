import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { maxLoginsBytes } from '../../../lib/agents/get-agent-logins.ts';
import type { TelephonyService } from '../../../lib/service/service.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { noFault } from '../../deployment/fault.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { weighted } from '../../support/arbitraries.ts';
import { type ModelDefinition, must } from '../models/model.ts';
import { pollutedPrototypes } from './receiver.ts';

const everybody = ['asha', 'meera', 'ravi'];
const rows = everybody.map((AgentId) => ({ AgentId, AgentState: 'READY' }));
const answerOf = (message: unknown, status = 'success') => JSON.stringify({ status, message });
const good = answerOf(rows);
/** The good answer with one more record, as JSON. */
const withRecord = (record: string) => good.replace(']}', `,${record}]}`);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Bodies of answers, and who is not logged in according to them. */
const bodies: Readonly<Record<string, { readonly text: () => string; readonly gone?: readonly string[] }>> = {
  good: { text: () => good },
  'one agent less': { text: () => answerOf(rows.slice(1)), gone: ['asha'] },
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
    text: () => answerOf([...rows, ...Array(5_000).fill({ AgentId: "apikey='", AgentState: '\\u0041pikey: "' })]),
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

const hostileAnswer = fc.record({
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
type HostileAnswer = typeof hostileAnswer extends fc.Arbitrary<infer Value> ? Value : never;

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

/** A service that answers every request by `answer`. */
const startService = async (answer: () => (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => answer()(socket));
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

/** The processor time that a poll may take, in microseconds: a slow function has a third of this machine's speed. */
const maxCpuMicroseconds = 3_000_000;

/** Short, because what never ends shall not last long; the good answers of a busy machine get more. */
const hostileTimeoutMs = 150;
const goodTimeoutMs = 30_000;

/** Answers over HTTP that a faulty or hostile service may give, to the poller of two accounts. */
export const hostileService: ModelDefinition<HostileAnswer> = {
  name: 'service',
  histories: hostileAnswer,
  async play(answer, log = () => undefined) {
    let isHostile = false;
    const services = await Promise.all([
      startService(() => (isHostile ? (socket) => send(socket, answer) : sendGood)),
      startService(() => sendGood),
    ]);
    const [hostile, healthy] = services;
    const impatient = telephonyHttp({ timeoutMs: hostileTimeoutMs, maxBytes: maxLoginsBytes });
    const patient = telephonyHttp({ timeoutMs: goodTimeoutMs });
    const telephony: TelephonyService = {
      post: (request) => (isHostile && request.url.startsWith(hostile.url) ? impatient : patient).post(request),
    };
    const accountAt = (userName: string, baseUrl: string) => ({
      ...{ userName, baseUrl, apiKeys: [`key-of-${userName}`], timeZone: 'UTC', token: { kind: 'none' } },
    });
    const world = createMemoryWorld({
      startedAt: '2026-11-20T06:00:00Z',
      accounts: [accountAt('hostile', hostile.url), accountAt('healthy', healthy.url)],
      telephony,
    });
    const instance = world.start(noFault);
    const polled = async () => {
      await world.tick(instance);
      return floorsIn(world.rows('agents'));
    };

    try {
      const before = await polled();
      world.advance(15_000);
      isHostile = true;
      const used = process.threadCpuUsage();
      const then = await polled();
      const { user, system } = process.threadCpuUsage(used);
      isHostile = false;
      world.advance(61 * 60_000);
      const after = await polled();
      log(JSON.stringify({ before, then, after, cpuMilliseconds: (user + system) / 1_000 }));

      const expected = mayBeGone(answer);
      const wrongly = before.hostile.agents.filter((id) => !then.hostile.agents.includes(id) && !expected.includes(id));
      must(wrongly.length === 0, () => `${wrongly.join()} logged out by ${JSON.stringify(answer)}`);
      must(
        then.healthy.asOf > before.healthy.asOf,
        () => `Another account is not polled beside ${JSON.stringify(answer)}`,
      );
      must(
        after.hostile.agents.length >= rows.length,
        () => `The good answer afterwards does not count after ${JSON.stringify(answer)}`,
      );
      must(user + system < maxCpuMicroseconds, () => `${user + system} µs for ${JSON.stringify(answer)}`);
      must(pollutedPrototypes().length === 0, () => `A prototype is polluted by ${JSON.stringify(answer)}`);
      const isRead = then.hostile.asOf > before.hostile.asOf;
      const isReadable = answer.status === 200 && answer.encoding === 'plain' && isWhole(answer);
      const isSpoilt = !isRead && isReadable && then.hostile.problem !== 'timeout';
      must(!(isSpoilt && answer.body.startsWith('a record')), () => `One record spoils ${JSON.stringify(answer)}`);
      return { [`service: ${isRead ? 'read' : then.hostile.problem}`]: 1 };
    } finally {
      for (const service of services) service.stop();
    }
  },
};

interface Floor {
  readonly asOf: string;
  readonly problem: string;
  readonly agents: readonly string[];
}

const floorsIn = (all: readonly Row[]): Readonly<Record<'hostile' | 'healthy', Floor>> => {
  const floorOf = (name: string): Floor => {
    const own = all.filter(({ account }) => account === name);
    const feed = own.find(({ kind }) => kind === 'feed') ?? {};
    const agents = own.filter(({ kind, state }) => kind === 'agent' && state !== 'logged-out');
    return {
      asOf: String(feed['asOf']),
      problem: String(Object(feed['lastProblem'])['reason']),
      agents: agents.map(({ agentId }) => String(agentId)),
    };
  };
  return { hostile: floorOf('hostile'), healthy: floorOf('healthy') };
};
