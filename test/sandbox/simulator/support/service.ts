import { onTestFinished } from 'vitest';
import { type Simulator, type SimulatorSettings, startSimulator } from '../../../../sandbox/simulator/index.ts';
import type { AccountReport } from '../../../../sandbox/simulator/service/report.ts';
import { account, noon } from './calls.ts';

/** An answer of the service as a client gets it. */
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

/** The service on a clock that the test moves, until the test is finished. */
export const startService = async (changes: Partial<SimulatorSettings> = {}) => {
  let now = noon;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const settings = { port: 0, callbackUrl: 'http://127.0.0.1:9', account, traffic: false, seed: 1, clock, ...changes };
  const simulator = await startSimulator(settings);
  onTestFinished(simulator.stop);

  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const response = await fetch(`${simulator.url}${path}`, { method: 'POST', redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, text, json: jsonOf(text) };
  };
  const headers = { apiKey: account.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ userName: account.userName });

  return {
    simulator,
    ask,
    /** Lets time pass. */
    pass(seconds: number) {
      now += seconds * 1000;
    },
    /** Asks who is logged in; as the account itself, unless told. */
    logins: (token?: string, init: RequestInit = {}) =>
      ask('/ca_apis/getAgentLogins', {
        body,
        ...init,
        headers: { ...headers, ...(token !== undefined && { authorization: token }), ...init.headers },
      }),
    /** Asks for a token. */
    token: (init: RequestInit = {}) =>
      ask('/ca_apis/CAToken/generateToken', { body, ...init, headers: { ...headers, ...init.headers } }),
    script: (steps: unknown) => ask('/_simulator/agents', { body: JSON.stringify(steps) }),
    answers: (request: unknown) => ask('/_simulator/answers', { body: JSON.stringify(request) }),
    counts: () => countsOf(simulator),
  };
};

/** What was asked of the service, by account, as it tells over HTTP. */
const countsOf = async ({ url }: Simulator): Promise<Readonly<Record<string, AccountReport>>> =>
  ((await (await fetch(`${url}/_simulator`)).json()) as { accounts: Readonly<Record<string, AccountReport>> }).accounts;
