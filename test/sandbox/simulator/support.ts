import { once } from 'node:events';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { SandboxClock } from '../../../sandbox/frame/lifecycle.ts';
import type { MadeCall } from '../../../sandbox/simulator/call-report.ts';
import type { CallsSent } from '../../../sandbox/simulator/calls-on-request.ts';
import { createSimulatedCentre } from '../../../sandbox/simulator/centre.ts';
import { type SimulatorSettings, startSimulator } from '../../../sandbox/simulator/index.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { type Kind, type SimulatedCall, simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { startHttpServer } from '../../support/local-servers.ts';

export const apiKey = 'key-of-the-demo-account';
export const account: Account = { userName: 'demo', apiKeys: [apiKey], timeZone: 'Asia/Kolkata' };
export const noon = Date.parse('2026-11-21T12:00:00Z');
export const centre = createSimulatedCentre(seededRandom(1), 40);

/** The call of a seed. */
export const callOf = (seed: number, kind?: Kind): SimulatedCall =>
  simulatedCall(seededRandom(seed), noon, centre, account, kind);

/** Enough seeds to see every drawn variant. */
export const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

/** A bare number of a JSON text with its exact digits. */
export interface BareNumber {
  readonly digits: string;
}
export type Opened = Readonly<Record<string, string | BareNumber | null>>;

/** Reads a JSON text without rounding any number. */
export const losslessly = (json: string): unknown =>
  JSON.parse(json, ((_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? { digits: context.source } : value) as (key: string, value: unknown) => unknown);

/** The JSON text in a post, in whatever part of the request. */
export const jsonOf = ({ contentType, body, query }: Post): string => {
  if (contentType === 'application/json') return body;
  const json = new URLSearchParams(body).get('data') ?? new URLSearchParams(query).get('data');
  if (json === null) throw new Error('The post has no data');
  return json;
};

/** The objects in a post. */
export const opened = (post: Post): readonly Opened[] => {
  const value = losslessly(jsonOf(post));
  return (Array.isArray(value) ? value : [value]) as Opened[];
};

/** The first object in a post. */
export const firstOf = (post: Post | undefined): Opened => {
  const [first] = post === undefined ? [] : opened(post);
  if (first === undefined) throw new Error('There is nothing in the post');
  return first;
};

/** An answer of the service as a client receives it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

/** The service with a clock that the test controls. It stops after the test. */
export const startService = async (changes: Partial<SimulatorSettings> = {}) => {
  let now = noon;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const simulator = await startSimulator({
    port: 0,
    accounts: [account],
    callbackUrl: 'http://127.0.0.1:9',
    traffic: false,
    seed: 1,
    clock,
    ...changes,
  });
  onTestFinished(simulator.stop);

  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const response = await fetch(`${simulator.url}${path}`, { method: 'POST', redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, text, json: tryParseJson(text) };
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
    const answer = await text(response);
    return { status: response.statusCode, text: answer, json: tryParseJson(answer) };
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
  const clock: SandboxClock = {
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

/** An HTTP receiver that notes its requests. A post for which there is no status gets no answer. */
export const startReceiver = async (statusFor: (index: number) => number | undefined = () => 200) => {
  const arrived: { method: string; url: string; contentType: string | undefined; body: string }[] = [];
  const posts = () => arrived.filter(({ method }) => method === 'POST');
  const { url, server } = await startHttpServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    arrived.push({ method, url, contentType: headers['content-type'], body: await text(request) });
    const status = method === 'POST' ? statusFor(posts().length - 1) : 200;
    if (status !== undefined) response.writeHead(status).end('{}');
  });
  return { url, arrived, posts, close: () => void server.close() };
};
