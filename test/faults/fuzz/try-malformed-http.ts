import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { fork, type Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from './accounts.ts';
import { leakedSecrets } from './leaks.ts';
import { type MalformedResponse, malformedResponses, maxBytes } from './malformed-http.ts';

/** How many malformed responses were sent, how many were read as an answer, and which guarantees broke. */
export interface MalformedResults {
  readonly sent: number;
  readonly answered: number;
  readonly violations: readonly string[];
}

/** Requests each malformed response so many times, all of a round at once. */
export const tryMalformedResponses = async (random: Random, rounds: number): Promise<MalformedResults> => {
  const server = await startMalformedServer(random);
  const results: MalformedResult[] = [];
  try {
    for (let round = 0; round < rounds; round++)
      results.push(
        ...(await Promise.all(
          malformedResponses.map((response, index) => tryMalformedResponse(`${server.url}/${index}`, response)),
        )),
      );
  } finally {
    await server.stop();
  }
  return {
    sent: results.length,
    answered: results.filter(({ isAnswered }) => isAnswered).length,
    violations: results.flatMap(({ violations }) => violations),
  };
};

/** Starts a server on a free port: `/3` is answered with the malformed response at index 3. */
const startMalformedServer = async (random: Random) => {
  // Each response has a generator of its own, as their order is not known.
  const responses = malformedResponses.map(({ respond }) => ({ respond, random: fork(random) }));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The client may close the connection at any time.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (request) => {
      const [, index] = /^POST \/(\d+)/.exec(request.toString('latin1')) ?? [];
      const response = responses[Number(index)];
      response?.respond(socket, response.random);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** A response that never ends in an answer gets a short time-out; one that may is given time, as the machine may be busy. */
const timeoutsMs = { never: 500, maybe: 10_000 } as const;

/** A client without a working time-out would wait for ever. */
const latestMs = 30_000;

const headers = { apiKey: pollSecrets[0] ?? '', Authorization: `Bearer ${pollSecrets.at(-1)}` };

interface MalformedResult {
  readonly isAnswered: boolean;
  readonly violations: readonly string[];
}

const tryMalformedResponse = async (
  url: string,
  { name, mayBeAnswered }: MalformedResponse,
): Promise<MalformedResult> => {
  const service = telephonyHttp({ timeoutMs: timeoutsMs[mayBeAnswered ? 'maybe' : 'never'], maxBytes });
  const violation = (what: string) => ({ isAnswered: false, violations: [`After “${name}” ${what}`] });
  try {
    const answer = await orTooLate(service.post({ url, headers, body: '{}' }));
    if (answer === 'too late') return violation(`the request did not end in ${latestMs / 1_000} s`);
    if (leakedSecrets(JSON.stringify(answer), pollSecrets).length > 0) return violation('a secret was in the answer');
    if (!answer.ok) return { isAnswered: false, violations: [] };
    if (Buffer.byteLength(answer.value.text) > maxBytes) return violation('more was read than the limit');
    return mayBeAnswered ? { isAnswered: true, violations: [] } : violation('an answer was read');
  } catch (error) {
    return violation(`it threw ${String(error)}`);
  }
};

const orTooLate = async <Of>(work: Promise<Of>): Promise<Of | 'too late'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too late'>((resolve) => {
    timer = setTimeout(resolve, latestMs, 'too late');
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
