import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../sandbox/clock.ts';
import type { CallsSent } from '../../../../sandbox/simulator/control-routes.ts';
import { type Simulator, type SimulatorSettings, startSimulator } from '../../../../sandbox/simulator/index.ts';
import type { MadeCall } from '../../../../sandbox/simulator/report/call-report.ts';
import type { AccountReport } from '../../../../sandbox/simulator/service/accounts.ts';
import { account, apiKey, noon } from './calls.ts';

/** An answer of the service as a client receives it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The service with a clock that the test controls. It stops after the test. */
export const startService = async (changes: Partial<SimulatorSettings> = {}) => {
  let now = noon;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const settings: SimulatorSettings = {
    port: 0,
    accounts: [account],
    callbackUrl: 'http://127.0.0.1:9',
    traffic: false,
    seed: 1,
    clock,
    ...changes,
  };
  const simulator = await startSimulator(settings);
  onTestFinished(simulator.stop);

  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const response = await fetch(`${simulator.url}${path}`, { method: 'POST', redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, text, json: jsonOf(text) };
  };
  const headers = { apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ userName: account.userName });

  /** Requests the call report: a GET with a body, which `fetch` refuses. By default of the day of the clock. */
  const report = async (
    fields: object | string = {},
    { path = '/ca_reports/fetchCDRDetails', method = 'GET', headers: own = {} }: ReportInit = {},
  ): Promise<Answered> => {
    const today = new Date(now + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const day = { fromDate: `${today} 00:00:00`, toDate: `${today} 23:59:59`, userName: account.userName };
    const sent = typeof fields === 'string' ? fields : JSON.stringify({ ...day, ...fields });
    const asked = request(`${simulator.url}${path}`, {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(sent), ...own },
    });
    asked.end(sent);
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, text, json: jsonOf(text) };
  };

  return {
    simulator,
    ask,
    report,
    /** Makes calls. */
    calls: async (asked: object) => (await ask('/_simulator/calls', { body: JSON.stringify(asked) })).json as CallsSent,
    /** The calls that were made. */
    made: async () =>
      (await ask('/_simulator/calls', { method: 'GET' })).json as { readonly calls: readonly MadeCall[] },
    /** Advances the clock. */
    pass(seconds: number) {
      now += seconds * 1000;
    },
    /** Requests getAgentLogins, by default with the account's credentials. */
    logins: (token?: string, init: RequestInit = {}) =>
      ask('/ca_apis/getAgentLogins', {
        body,
        ...init,
        headers: { ...headers, ...(token !== undefined && { authorization: token }), ...init.headers },
      }),
    /** Requests a token. */
    token: (init: RequestInit = {}) =>
      ask('/ca_apis/CAToken/generateToken', { body, ...init, headers: { ...headers, ...init.headers } }),
    script: (steps: unknown) => ask('/_simulator/agents', { body: JSON.stringify(steps) }),
    counts: () => countsOf(simulator),
  };
};

interface ReportInit {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** The request counts by account, from GET /_simulator. */
const countsOf = async ({ url }: Simulator): Promise<Readonly<Record<string, AccountReport>>> =>
  ((await (await fetch(`${url}/_simulator`)).json()) as { accounts: Readonly<Record<string, AccountReport>> }).accounts;

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** A clock that a test moves. A sleeper wakes once the clock has reached its time. */
export const manualClock = (startsAt: number) => {
  let now = startsAt;
  const sleepers = new Set<Sleeper>();

  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const sleeper = { dueAt: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', resolve as () => void, { once: true });
        if (signal.aborted) resolve();
      }),
  };

  return {
    clock,
    sleeping: () => sleepers.size,
    /** Moves the clock to the time at which the next sleeper wakes. */
    toNext() {
      const [next] = [...sleepers].sort((one, other) => one.dueAt - other.dueAt);
      if (next === undefined) return;
      now = Math.max(now, next.dueAt);
      sleepers.delete(next);
      next.wake();
    },
  };
};

/** A clock on which every wait ends at once. It records the lengths of the waits. */
export const impatientClock = (startsAt: number) => {
  let now = startsAt;
  const slept: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
  return { clock, slept };
};

/** A received request. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** An HTTP receiver that records its requests. If `statusFor` returns undefined, the request gets no answer. */
export const startReceiver = async (statusFor: (request: Arrived, index: number) => number | undefined = () => 200) => {
  const arrived: Arrived[] = [];
  const posts = () => arrived.filter(({ method }) => method === 'POST');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      contentType: request.headers['content-type'],
      body,
    };
    arrived.push(one);
    const status = one.method === 'POST' ? statusFor(one, posts().length - 1) : 200;
    if (status !== undefined) response.writeHead(status).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    posts,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
