import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { fork, type Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from './accounts.ts';
import { leakedSecrets } from './leaks.ts';
import { type MalformedResponse, malformedResponses, mostBytes } from './malformed-http.ts';

/** A server that answers as its address says: `/3` is the third of the lies, counted from 0. */
export interface MalformedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const numberAskedFor = (request: Buffer): number => {
  const [, number] = /^POST \/(\d+)/.exec(request.toString('latin1')) ?? [];
  return Number(number);
};

/** Starts a server of lies on a free port of this machine. */
const startMalformedServer = async (random: Random): Promise<MalformedServer> => {
  // Each lie draws for itself, as nobody knows in which order they are asked for.
  const told = malformedResponses.map(({ tell }) => ({ tell, random: fork(random) }));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Who hangs up on a lie has every right to.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (request) => {
      const lie = told[numberAskedFor(request)];
      lie?.tell(socket, lie.random);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port, it has an address of this form.
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

/** How many lies were told, what came of them, and what should not have. */
export interface MalformedResults {
  readonly told: number;
  readonly answered: number;
  readonly breaches: readonly string[];
}

/** Whom no answer comes from is not waited for; whose answer may come is given time, as the machine may be busy. */
const timeouts = { never: 500, maybe: 10_000 } as const;

/** One that waits for ever is caught all the same. */
const latestMs = 30_000;

const tooLate = Symbol('too late');

const orTooLate = async <Of>(work: Promise<Of>): Promise<Of | typeof tooLate> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof tooLate>((resolve) => {
    timer = setTimeout(resolve, latestMs, tooLate);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const headers = { apiKey: pollSecrets[0] ?? '', Authorization: `Bearer ${pollSecrets.at(-1)}` };

interface MalformedResult {
  readonly isAnswered: boolean;
  readonly breaches: readonly string[];
}

const tryMalformedResponse = async (
  serviceOf: (timeoutMs: number) => TelephonyService,
  url: string,
  { name, mayBeAnswered }: MalformedResponse,
): Promise<MalformedResult> => {
  const service = serviceOf(timeouts[mayBeAnswered ? 'maybe' : 'never']);
  const about = (what: string) => ({ isAnswered: false, breaches: [`After “${name}” ${what}`] });
  try {
    const answer = await orTooLate(service.post({ url, headers, body: '{}' }));
    if (answer === tooLate) return about(`there was no end in ${latestMs / 1_000} s`);
    if (leakedSecrets(JSON.stringify(answer), pollSecrets).length > 0) return about('a secret was in the answer');
    if (!answer.ok) return { isAnswered: false, breaches: [] };
    if (Buffer.byteLength(answer.value.text) > mostBytes) return about('more was read than may be');
    return mayBeAnswered ? { isAnswered: true, breaches: [] } : about('an answer was made of it');
  } catch (error) {
    return about(`it threw ${String(error)}`);
  }
};

/** Has each lie told so many times, all of a round at once. */
export const tryMalformedResponses = async (
  random: Random,
  rounds: number,
  serviceOf: (timeoutMs: number) => TelephonyService = (timeoutMs) => telephonyHttp({ timeoutMs, maxBytes: mostBytes }),
): Promise<MalformedResults> => {
  const liar = await startMalformedServer(random);
  const results: MalformedResult[] = [];
  try {
    for (let round = 0; round < rounds; round++)
      results.push(
        ...(await Promise.all(
          malformedResponses.map((lie, index) => tryMalformedResponse(serviceOf, `${liar.url}/${index}`, lie)),
        )),
      );
  } finally {
    await liar.stop();
  }
  return {
    told: results.length,
    answered: results.filter(({ isAnswered }) => isAnswered).length,
    breaches: results.flatMap(({ breaches }) => breaches),
  };
};
