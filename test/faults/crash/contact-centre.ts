import { ok } from '../../../lib/core/result.ts';
import type { ServiceResponse, TelephonyService } from '../../../lib/service/service.ts';
import { createCentre as createFloor } from '../schedules/agents/contact-centre.ts';

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

const tooMany: ServiceResponse = { status: 200, text: '{"status":"error","message":"Max limit exceeded"}' };
const unauthorised: ServiceResponse = { status: 401, text: '{"status":"error","message":"Unauthorised"}' };

/** A contact centre that records who exceeds its limits. */
export const createCentre = (now: () => Date, key: string, needsToken: boolean) => {
  const { change, leave, records, agents } = createFloor(1);
  const limits = watchLimits(now);
  const valid = new Set<string>();
  let mode: AnswerMode = 'agents';
  let rejectsNext = false;
  let process = 0;

  const loginsAnswer = (): ServiceResponse => {
    if (mode === 'html') return { status: 200, text: '<html></html>' };
    if (mode === 'error') return { status: 500, text: 'Internal error' };
    return { status: 200, text: JSON.stringify({ status: 'success', message: records() }) };
  };
  const token = (): ServiceResponse => {
    const issued = `${key}-token-${limits.token()}`;
    if (mode === 'error') return loginsAnswer();
    valid.add(issued);
    return { status: 200, text: JSON.stringify({ token: issued }) };
  };
  const logins = (headers: Headers): ServiceResponse => {
    limits.login(process);
    if (rejectsNext) {
      rejectsNext = false;
      return tooMany;
    }
    const bearer = (headers.get('authorization') ?? '').slice('Bearer '.length);
    return headers.get('apiKey') !== key || (needsToken && !valid.has(bearer)) ? unauthorised : loginsAnswer();
  };

  const service: TelephonyService = {
    post: async ({ url, headers }) => ok(url.endsWith('/generateToken') ? token() : logins(new Headers(headers))),
  };

  return {
    ...{ service, agents },
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
