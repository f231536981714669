import { createServer } from 'node:http';
import type { ServiceRequest, TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { ok } from '../../../lib/core/result.ts';
import { listen, localHost } from '../../../sandbox/http/listen.ts';
import { type Answer, writeAnswer } from '../../../sandbox/http/serve.ts';
import type { Fault } from '../world/fault.ts';

/** So many requests at most in any window of this length, by the service's own clock. */
interface Limit {
  readonly count: number;
  readonly perMs: number;
}

const mostLogins: Limit = { count: 5, perMs: 60_000 };
const mostTokens: Limit = { count: 10, perMs: 3_600_000 };

/** As slots are cut: each is for one process. */
const slotMs = 15_000;

const exceeds = (times: readonly number[], { count, perMs }: Limit): boolean =>
  times.filter((at) => at >= (times.at(-1) ?? 0) - perMs).length > count;

/** Notes the requests that a service gets, and which of them break the limits of the specification and of practice. */
const watchLimits = (now: () => Date) => {
  const logins: { readonly atMs: number; readonly by: number }[] = [];
  const tokens: number[] = [];
  const offences: string[] = [];

  return {
    offences: (): readonly string[] => offences,
    /** A process asks for the floor. */
    login(by: number): void {
      const atMs = now().getTime();
      const slot = Math.floor(atMs / slotMs);
      const other = logins.find((each) => Math.floor(each.atMs / slotMs) === slot && each.by !== by);
      if (other !== undefined) offences.push(`processes ${other.by} and ${by} asked in the same slot`);
      logins.push({ atMs, by });
      const times = logins.map((each) => each.atMs);
      if (exceeds(times, mostLogins)) offences.push(`request ${logins.length} is more than 5 in a minute`);
    },
    /** A token is asked for. Answers how many were before. */
    token(): number {
      tokens.push(now().getTime());
      if (exceeds(tokens, mostTokens)) offences.push(`token ${tokens.length} is more than 10 in an hour`);
      return tokens.length - 1;
    },
  };
};

/** An agent as the service lists it. */
export interface ListedAgent {
  readonly AgentId: string;
  readonly AgentName: string;
  readonly PhoneNumber: string;
  readonly AgentState: string;
  readonly SkillName: string;
}

/** What the service says to a question for its floor. */
export type AnswerMode = 'floor' | 'error' | 'html';

const tooMany: Answer = { status: 200, body: '{"status":"error","message":"Max limit exceeded"}' };
const unauthorised: Answer = { status: 401, body: '{"status":"error","message":"Unauthorised"}' };

/** A contact centre that holds callers to the limits, and remembers who broke them. */
export const createCentre = (now: () => Date, key: string, needsToken: boolean) => {
  const floor = new Map<string, ListedAgent>();
  const limits = watchLimits(now);
  const good = new Set<string>();
  let saying: AnswerMode = 'floor';
  let isTired = false;
  let process = 0;

  const said = (): Answer => {
    if (saying === 'html') return { status: 200, body: '<html></html>' };
    if (saying === 'error') return { status: 500, body: 'Internal error' };
    return { status: 200, body: JSON.stringify({ status: 'success', message: [...floor.values()] }) };
  };
  const token = (): Answer => {
    const issued = `${key}-token-${limits.token()}`;
    if (saying === 'error') return said();
    good.add(issued);
    return { status: 200, body: JSON.stringify({ token: issued }) };
  };
  const logins = (headers: Headers): Answer => {
    limits.login(process);
    if (isTired) {
      isTired = false;
      return tooMany;
    }
    const bearer = (headers.get('authorization') ?? '').slice('Bearer '.length);
    return headers.get('apiKey') !== key || (needsToken && !good.has(bearer)) ? unauthorised : said();
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
    service,
    answer,
    floor,
    offences: limits.offences,
    say(next: AnswerMode) {
      saying = next;
    },
    /** The next question is answered with a refusal for the limit. */
    tire() {
      isTired = true;
    },
    /** Every token issued so far is good no more. */
    revokeTokens: () => good.clear(),
    /** Who asks from now on. */
    askedBy(next: number) {
      process = next;
    },
    /** Agents come, or are in another state. */
    set(agentIds: readonly string[], state: string) {
      for (const id of agentIds)
        floor.set(id, {
          AgentId: id,
          AgentName: `Agent ${id}`,
          PhoneNumber: '09000000001',
          AgentState: state,
          SkillName: 'Sales',
        });
    },
    leave(agentIds: readonly string[]) {
      for (const id of agentIds) floor.delete(id);
    },
  };
};

/** A contact centre as it stands in a story. */
export type Centre = ReturnType<typeof createCentre>;

/** Contact centres behind one address, each under its own path. */
export interface CentresServer {
  /** The address of a centre from now on; what becomes of its next request can be said before. */
  readonly open: (name: string, centre: Centre) => { readonly url: string; readonly strike: (fate: Fault) => void };
  readonly close: () => Promise<void>;
}

/** Serves centres over HTTP. A call that fails has its socket closed before it has an effect, one that is lost after. */
export const serveCentres = async (): Promise<CentresServer> => {
  const centres = new Map<string, Centre>();
  const struck = new Map<string, Fault>();

  const server = createServer((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/');
    const fate = struck.get(name);
    struck.delete(name);
    request.resume().once('end', () => {
      if (fate === 'fail') return void request.socket.destroy();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
      const answer = centres.get(name)?.answer(request.url ?? '', headers) ?? { status: 404 };
      if (fate === 'lose') return void request.socket.destroy();
      writeAnswer(response, answer);
    });
  });
  const port = await listen(server, { number: 0, flag: 'port' });

  return {
    open(name, centre) {
      centres.set(name, centre);
      return { url: `http://${localHost}:${port}/${name}`, strike: (fate) => struck.set(name, fate) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
