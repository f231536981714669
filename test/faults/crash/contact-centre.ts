import { createServer } from 'node:http';
import type { ServiceRequest, TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { ok } from '../../../lib/core/result.ts';
import { listen, localHost } from '../../../sandbox/http/listen.ts';
import { type Answer, writeAnswer } from '../../../sandbox/http/serve.ts';
import { createCentre as createFloor } from '../schedules/agents/contact-centre.ts';
import type { Fault } from '../world/fault.ts';

/** At most `count` requests in any window of this length, by the service’s own clock. */
interface Limit {
  readonly count: number;
  readonly perMs: number;
}

const mostLogins: Limit = { count: 5, perMs: 60_000 };
const mostTokens: Limit = { count: 10, perMs: 3_600_000 };

/** The length of a slot. In each slot only one process may ask. */
const slotMs = 15_000;

const exceeds = (times: readonly number[], { count, perMs }: Limit): boolean =>
  times.filter((at) => at >= (times.at(-1) ?? 0) - perMs).length > count;

/** Records the requests to a service, and which of them exceed the limits of the specification and of practice. */
const watchLimits = (now: () => Date) => {
  const logins: { readonly atMs: number; readonly by: number }[] = [];
  const tokens: number[] = [];
  const offences: string[] = [];

  return {
    offences: (): readonly string[] => offences,
    login(by: number): void {
      const atMs = now().getTime();
      const slot = Math.floor(atMs / slotMs);
      const other = logins.find((each) => Math.floor(each.atMs / slotMs) === slot && each.by !== by);
      if (other !== undefined) offences.push(`processes ${other.by} and ${by} asked in the same slot`);
      logins.push({ atMs, by });
      const times = logins.map((each) => each.atMs);
      if (exceeds(times, mostLogins)) offences.push(`request ${logins.length} is more than 5 in a minute`);
    },
    /** A process requests a token. Returns how many were requested before. */
    token(): number {
      tokens.push(now().getTime());
      if (exceeds(tokens, mostTokens)) offences.push(`token ${tokens.length} is more than 10 in an hour`);
      return tokens.length - 1;
    },
  };
};

type AnswerMode = 'agents' | 'error' | 'html';

const tooMany: Answer = { status: 200, body: '{"status":"error","message":"Max limit exceeded"}' };
const unauthorised: Answer = { status: 401, body: '{"status":"error","message":"Unauthorised"}' };

/** A contact centre that records who exceeds its limits. */
export const createCentre = (now: () => Date, key: string, needsToken: boolean) => {
  const { change, leave, records, agents } = createFloor(1);
  const limits = watchLimits(now);
  const valid = new Set<string>();
  let mode: AnswerMode = 'agents';
  let rejectsNext = false;
  let process = 0;

  const loginsAnswer = (): Answer => {
    if (mode === 'html') return { status: 200, body: '<html></html>' };
    if (mode === 'error') return { status: 500, body: 'Internal error' };
    return { status: 200, body: JSON.stringify({ status: 'success', message: records() }) };
  };
  const token = (): Answer => {
    const issued = `${key}-token-${limits.token()}`;
    if (mode === 'error') return loginsAnswer();
    valid.add(issued);
    return { status: 200, body: JSON.stringify({ token: issued }) };
  };
  const logins = (headers: Headers): Answer => {
    limits.login(process);
    if (rejectsNext) {
      rejectsNext = false;
      return tooMany;
    }
    const bearer = (headers.get('authorization') ?? '').slice('Bearer '.length);
    return headers.get('apiKey') !== key || (needsToken && !valid.has(bearer)) ? unauthorised : loginsAnswer();
  };

  const answer = (path: string, headers: Readonly<Record<string, string>>): Answer =>
    path.endsWith('/generateToken') ? token() : logins(new Headers(headers));

  const service: TelephonyService = {
    async post({ url, headers }: ServiceRequest) {
      const { status, body } = answer(url, headers);
      return ok({ status, text: String(body) });
    },
  };

  return {
    ...{ service, answer, agents },
    offences: limits.offences,
    answerWith(next: AnswerMode) {
      mode = next;
    },
    /** The next request is rejected because of the limit. */
    rejectNext() {
      rejectsNext = true;
    },
    revokeTokens: () => valid.clear(),
    requestsFrom(next: number) {
      process = next;
    },
    set(agentIds: readonly string[], state: string) {
      for (const id of agentIds) change(id, { state });
    },
    leave: (agentIds: readonly string[]) => agentIds.forEach(leave),
  };
};

export type Centre = ReturnType<typeof createCentre>;

/** Serves centres over HTTP. For `fail` the socket closes before the request has its effect, for `lose` after it. */
export const serveCentres = async () => {
  const centres = new Map<string, Centre>();
  const nextFaults = new Map<string, Fault>();

  const server = createServer((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/');
    const fault = nextFaults.get(name);
    nextFaults.delete(name);
    request.resume().once('end', () => {
      if (fault === 'fail') return void request.socket.destroy();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
      const answer = centres.get(name)?.answer(request.url ?? '', headers) ?? { status: 404 };
      if (fault === 'lose') return void request.socket.destroy();
      writeAnswer(response, answer);
    });
  });
  const port = await listen(server, { number: 0, flag: 'port' });

  return {
    /** Serves a centre at the returned address; `inject` sets the fault of its next request. */
    open(name: string, centre: Centre) {
      centres.set(name, centre);
      return { url: `http://${localHost}:${port}/${name}`, inject: (fault: Fault) => nextFaults.set(name, fault) };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
