import { ok } from '../../../lib/core/result.ts';
import type { ServiceResponse, TelephonyService } from '../../../lib/service/service.ts';
import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { Instance } from '../../deployment/functions.ts';
import { type Call, type Fault, faultKinds, type ServiceName } from '../../deployment/functions.ts';
import type { LocalWorld } from '../../deployment/world.ts';
import { createCentre as createFloor } from '../schedules/agents/contact-centre.ts';
import { livingProcesses } from '../schedules/processes.ts';

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
    service,
    agents,
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

type FunctionKind = 'receive' | 'recover' | 'publish' | 'poll';

/** The poller’s time-out of a request. */
const timeoutMs = 4_000;

/** One process for each function, a new one after each crash. All their calls are counted together, as the plan counts them. */
export const createProcesses = (world: Pick<LocalWorld, 'start' | 'advance'>, plan: Plan, centre: Centre) => {
  const calls: string[] = [];
  let outage: Partial<Record<ServiceName, Fault>> = {};
  let repeatsExplained = false;
  let started = 0;

  /** The centre itself rejects a request as too many. */
  const atCentre = (fault: Fault): Fault => {
    if (fault === 'lose') world.advance(timeoutMs);
    if (fault !== 'throttle') return fault;
    centre.rejectNext();
    return 'pass';
  };

  const faultFor = (name: FunctionKind, { service, operation }: Call): Fault => {
    const fault = plan.get(calls.length) ?? outage[service] ?? 'pass';
    calls.push(`${name} ${service} ${operation.replace(/^.*\//, '')}`);
    if (name === 'publish' && (fault === 'lose' || fault.startsWith('crash'))) repeatsExplained = true;
    return service === 'telephony' ? atCentre(fault) : fault;
  };

  const start = (name: FunctionKind): Instance => {
    started += 1;
    const instance: Instance = world.start((call) => (instance.hasCrashed() ? 'pass' : faultFor(name, call)));
    return instance;
  };
  const { of, restartAll } = livingProcesses(start);

  return {
    of,
    restart: restartAll,
    /** The fault of every call to these services, unless the plan has another. */
    setOutage(next: Partial<Record<ServiceName, Fault>>) {
      outage = next;
    },
    calls: (): readonly string[] => calls,
    /** Whether a publisher could not know what the bus had accepted, so that events may be repeated. */
    repeatsExplained: () => repeatsExplained,
    started: () => started,
  };
};

/** The faults of a run by the number of the call, counted from 0 over all processes. */
export type Plan = ReadonlyMap<number, Fault>;

const faults = faultKinds.filter((kind) => kind !== 'pass');

const isFault = (word: string): word is Fault => faults.some((fault) => fault === word);

/** A plan as on the command line: `3:crash-after,7:lose`. */
export const planText = (plan: Plan): string => [...plan].map(([index, fault]) => `${index}:${fault}`).join(',');

/** Reads a plan; `none` has no fault. Throws if the text is not a plan. */
export const planFrom = (text: string): Plan =>
  new Map(
    (text === 'none' ? [] : text.split(',')).map((part) => {
      const [, index, fault = ''] = /^(\d+):([a-z-]+)$/.exec(part) ?? [];
      if (index === undefined || !isFault(fault))
        throw new Error(`“${part}” is not a fault: write 3:crash-after, with one of ${faults.join(', ')}`);
      return [Number(index), fault];
    }),
  );

/** Operations that can accept some of their entries. */
const batches = new Set(['BatchWriteItem', 'PutEvents', 'SendMessageBatch']);

const isDivisible = (call: string): boolean => batches.has(call.split(' ').at(-1) ?? '');

/** Each fault at each of these calls. A failure and a lost answer are also tried at the call and at its retry. */
export const everyPlan = (calls: readonly string[]): readonly Plan[] =>
  calls.flatMap((call, index) => [
    ...faults.filter((fault) => fault !== 'partial' || isDivisible(call)).map((fault) => new Map([[index, fault]])),
    ...(['fail', 'lose'] as const).map((fault) => new Map([index, index + 1].map((at) => [at, fault] as const))),
  ]);

/** Retries add calls, so faults may be planned so far beyond the calls of the baseline. */
const extraCalls = 8;

/** Two to four faults at any calls, retries included. */
export const drawnPlan = (random: Random, calls: number): Plan =>
  new Map(
    Array.from({ length: between(random, 2, 4) }, (): [number, Fault] => [
      between(random, 0, calls + extraCalls - 1),
      pick(random, faults),
    ]).sort(([one], [other]) => one - other),
  );
