import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Answer, Received } from '../../sandbox/frame/serve.ts';
import { urlOf } from './local-servers.ts';

/* Doubles of AWS and of hosts that answer as these may: late, again, in part, not at all, or on a connection that is dead. */

/** A request as it comes to a double: to which service, for which operation. */
export interface Asked {
  readonly service: string;
  readonly operation: string;
}

interface Arrived extends Asked {
  /** Counts the requests of this operation, from 0. */
  readonly nth: number;
  /** Whether its connection has had an answer before the present mood: the client kept it. */
  readonly isKept: boolean;
}

/** A request that waits for its answer. */
interface Waiting extends Asked {
  readonly request: Received;
  readonly response: ServerResponse;
  /** Lets the request take effect, and has what the service says to it. */
  readonly answer: () => Promise<Answer>;
  /** Lets time pass. */
  readonly pause: (seconds: number) => Promise<unknown>;
}

export type Way = (waiting: Waiting) => unknown;

const pieceBytes = 65_536;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** A large body goes in pieces, so that its way can be watched. Who reads it may wait for something else meanwhile. */
const send = (response: ServerResponse, { status, headers, body = '' }: Answer): void => {
  const bytes = Buffer.from(body as string | Uint8Array);
  response.writeHead(status, { 'content-length': bytes.length, ...headers });
  if (bytes.length <= pieceBytes) response.end(bytes);
  else pipeline(Readable.from(piecesOf(bytes)), response, () => undefined);
};

const plainly: Way = async ({ response, answer }) => send(response, await answer());

const page = '<html><body><h1>503 Service Unavailable</h1>SENTINEL 09000000042</body></html>';

const throttledAs: Readonly<Record<string, string>> = {
  dynamodb: 'ProvisionedThroughputExceededException',
  sqs: 'RequestThrottled',
};

const after =
  (seconds: number): Way =>
  async ({ response, answer, pause }) => {
    await pause(seconds);
    send(response, await answer());
  };

/** Lets the request take effect, and sends half of the answer, which names its whole length. */
const half =
  (then: (response: ServerResponse) => unknown): Way =>
  async ({ response, answer }) => {
    const { status, headers, body = '' } = await answer();
    const bytes = Buffer.from(body as string | Uint8Array);
    response.writeHead(status, { ...headers, 'content-length': bytes.length + 10 });
    response.write(bytes.subarray(0, bytes.length / 2 + 1), () => then(response));
    response.flushHeaders();
  };

/** SQS answers a receipt of an empty queue once the wait is over that was asked for. */
export const afterWait: Way = (waiting) => {
  const { WaitTimeSeconds = 0 } = JSON.parse(waiting.request.body.toString());
  return after(WaitTimeSeconds)(waiting);
};

export const ways = {
  plainly,
  'with a page of HTML': ({ response }) =>
    void response.writeHead(503, { 'content-type': 'text/html', 'content-length': page.length }).end(page),
  'that it is throttled': ({ response, service }) => {
    const type = throttledAs[service] ?? 'ThrottlingException';
    if (service === 's3')
      response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>Slow down</Message></Error>');
    else response.writeHead(400).end(JSON.stringify({ __type: type, message: 'Rate exceeded' }));
  },
  'by a reset': ({ response }) => void response.socket?.resetAndDestroy(),
  'by a reset after it has happened': async ({ response, answer }) => {
    await answer();
    response.socket?.resetAndDestroy();
  },
  'with half of its answer': half((response) => response.destroy()),
  'with half of its answer, and then silence': half(() => undefined),
  never: () => undefined,
  'after a second': after(1),
  'after half a minute': after(30),
} as const satisfies Readonly<Record<string, Way>>;

/** Which requests are answered oddly, and how; undefined for an answer as usual. */
export type Mood = (asked: Arrived) => Way | undefined;

export const onceEach =
  (way: Way): Mood =>
  ({ nth }) =>
    nth === 0 ? way : undefined;

export const always =
  (way: Way): Mood =>
  () =>
    way;

export const onlyFor =
  (operation: string, way: Way): Mood =>
  (asked) =>
    asked.operation === operation ? way : undefined;

/** The other side has forgotten the connections that the client keeps, without a word or with a reset at the next request. */
export const deadConnections =
  (way: Way): Mood =>
  ({ isKept }) =>
    isKept ? way : undefined;

export interface OddServerOptions {
  readonly nameOf: (request: Received) => Asked | undefined;
  readonly answer: (request: Received, asked: Asked) => Promise<Answer>;
}

/** A server whose answers are odd as its mood is. What has no name is answered as usual, and is not counted. */
export const startOddServer = async ({ nameOf, answer }: OddServerOptions) => {
  let mood: Mood = () => undefined;
  let counts = new Map<string, number>();
  let working = 0;
  const asked: Asked[] = [];
  const open = new Set<string>();
  const used = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  let kept = new WeakSet<Socket>();

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = 'GET', url: path = '/', headers } = request;
    const received = { method, path, headers, body: await buffer(request) };
    const named = nameOf(received);
    if (named === undefined) return send(response, await answer(received, { service: '', operation: '' }));

    const isKept = kept.has(request.socket);
    used.add(request.socket);
    const nth = counts.get(named.operation) ?? 0;
    counts.set(named.operation, nth + 1);
    const entry = `${named.operation} ${asked.push(named)}`;
    open.add(entry);
    response.once('close', () => open.delete(entry));
    return (mood({ ...named, nth, isKept }) ?? plainly)({
      ...named,
      request: received,
      response,
      async answer() {
        const said = await answer(received, named);
        return said.body instanceof Readable ? { ...said, body: await buffer(said.body) } : said;
      },
      async pause(seconds) {
        working -= 1;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        working += 1;
      },
    });
  };
  const server = createServer(async (request, response) => {
    working += 1;
    await respond(request, response).catch(() => response.destroy());
    working -= 1;
  });
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  // It keeps connections longer than anybody else: what ends one is the mood of a test.
  server.keepAliveTimeout = 0;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const moved = () =>
    [...sockets].reduce((sum, one) => sum + one.bytesRead + one.bytesWritten - one.writableLength, sockets.size);

  return {
    url: await urlOf(server),
    /** What was asked for, in order. */
    asked: (): readonly Asked[] => asked,
    mood: () => mood,
    /** From now on answers are so, and operations are counted anew. */
    answers(next: Mood) {
      mood = next;
      counts = new Map();
      kept = new WeakSet([...sockets].filter((one) => used.has(one)));
    },
    /** The requests that somebody still waits for. */
    open: (): readonly string[] => [...open],
    /** Whether it works on an answer that will come without time passing. */
    isBusy: () => working > 0,
    /** Grows while anything comes or goes. */
    moved,
  };
};

export type OddServer = Awaited<ReturnType<typeof startOddServer>>;

/** The services of AWS by what the header `x-amz-target` calls them; S3 has none. */
export const awsServices: Readonly<Record<string, 'dynamodb' | 'sqs' | 'secrets' | 'eventbridge'>> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  secretsmanager: 'secrets',
  AWSEvents: 'eventbridge',
};

/** What a request asks of a service of AWS other than S3; undefined for any other request. */
export const awsOperation = ({ headers }: Pick<Received, 'headers'>) => {
  const [target = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const service = awsServices[target];
  return service && { service, operation };
};

/** The operation of a request to S3, by its method and its query. */
export const s3Operation = ({ method, path }: Pick<Received, 'method' | 'path'>): string => {
  const query = new URL(path, 'http://s3').searchParams;
  const isOfUpload = query.has('uploadId');
  const names: Readonly<Record<string, string>> = {
    GET: 'GetObject',
    HEAD: 'HeadObject',
    PUT: isOfUpload ? 'UploadPart' : 'PutObject',
    POST: isOfUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload',
    DELETE: isOfUpload ? 'AbortMultipartUpload' : 'DeleteObject',
  };
  return names[method] ?? method;
};
