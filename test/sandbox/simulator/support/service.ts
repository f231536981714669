import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../sandbox/lifecycle.ts';
import type { MadeCall } from '../../../../sandbox/simulator/call-report.ts';
import { type SimulatorSettings, startSimulator } from '../../../../sandbox/simulator/index.ts';
import type { CallsSent } from '../../../../sandbox/simulator/traffic.ts';
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
    script(steps: unknown) {
      const outcome = simulator.script(JSON.stringify(steps));
      if (outcome.ok) return { status: 200, json: outcome.value };
      return { status: outcome.problem.status, json: { message: outcome.problem.message } };
    },
    /** The request counts by account. */
    counts: simulator.accounts,
  };
};

interface ReportInit {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** A clock that stands still. A sleeper wakes once the test lets it. */
export const stoppedClock = () => {
  const sleepers: (() => void)[] = [];
  const clock: Clock = {
    now: () => noon,
    sleep: (_, signal) =>
      new Promise<void>((resolve) => {
        sleepers.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      }),
  };
  return { clock, sleepers };
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
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
  };
};
