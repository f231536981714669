import type { ServiceRequest } from '../../lib/agent-login/request.ts';
import type { TelephonyService } from '../../lib/ports.ts';
import { ok } from '../../lib/result.ts';
import type { Answer } from '../../sandbox/http/serve.ts';
import { watchLimits } from './limits.ts';

/** An agent as the service lists it. */
export interface Listed {
  readonly AgentId: string;
  readonly AgentName: string;
  readonly PhoneNumber: string;
  readonly AgentState: string;
  readonly SkillName: string;
}

/** What the service says to a question for its floor. */
export type Saying = 'floor' | 'error' | 'html';

const tooMany: Answer = { status: 200, body: '{"status":"error","message":"Max limit exceeded"}' };
const unauthorised: Answer = { status: 401, body: '{"status":"error","message":"Unauthorised"}' };

/** A contact centre that holds callers to the limits, and remembers who broke them. */
export const createCentre = (now: () => Date, key: string, needsToken: boolean) => {
  const floor = new Map<string, Listed>();
  const limits = watchLimits(now);
  const good = new Set<string>();
  let saying: Saying = 'floor';
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
    say(next: Saying) {
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
