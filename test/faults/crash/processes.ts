import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { type Call, type Fault, faultKinds, type ServiceName } from '../world/fault.ts';
import type { Instance } from '../world/instance.ts';
import type { LocalWorld } from '../world/local-world.ts';
import type { Centre } from './contact-centre.ts';

/** The functions that a story runs. */
export type FunctionKind = 'receive' | 'recover' | 'publish' | 'poll';

/** What the processes of a story run in. */
export interface ProcessesOptions {
  readonly world: Pick<LocalWorld, 'start' | 'advance'>;
  readonly plan: Plan;
  readonly centre: Centre;
  /** Closes the socket of the next request to the centre, where that is reached over HTTP. */
  readonly strike?: ((fate: Fault) => void) | undefined;
}

/** How long a question goes unanswered before it is given up, as the poller does. */
const timeoutMs = 4_000;

/** A process of each function, a new one after each death; all their calls are counted together, and meet the plan. */
export const createProcesses = ({ world, plan, centre, strike }: ProcessesOptions) => {
  const alive = new Map<FunctionKind, Instance>();
  const calls: string[] = [];
  let trouble: Partial<Record<ServiceName, Fault>> = {};
  let repeatsExplained = false;
  let started = 0;

  /** A centre that is told off, or reached over HTTP, brings its own fate about. */
  const atCentre = (fate: Fault): Fault => {
    if (fate === 'lose') world.advance(timeoutMs);
    if (fate === 'throttle') {
      centre.tire();
      return 'pass';
    }
    if (strike === undefined || (fate !== 'fail' && fate !== 'lose')) return fate;
    strike(fate);
    return 'pass';
  };

  const fateOf = (name: FunctionKind, { service, operation }: Call): Fault => {
    const fate = plan.get(calls.length) ?? trouble[service] ?? 'pass';
    calls.push(`${name} ${service} ${operation.replace(/^.*\//, '')}`);
    if (name === 'publish' && (fate === 'lose' || fate.startsWith('die'))) repeatsExplained = true;
    return service === 'telephony' ? atCentre(fate) : fate;
  };

  const start = (name: FunctionKind): Instance => {
    started += 1;
    const instance: Instance = world.start((call) => (instance.isDead() ? 'pass' : fateOf(name, call)));
    alive.set(name, instance);
    return instance;
  };

  return {
    /** The process of a function: a new one, if there is none that lives. */
    of(name: FunctionKind): Instance {
      const instance = alive.get(name);
      return instance === undefined || instance.isDead() ? start(name) : instance;
    },
    /** Every function is started anew when it is next asked. */
    restart: () => alive.clear(),
    /** What happens to every call of these services for which the plan has nothing else. */
    trouble(next: Partial<Record<ServiceName, Fault>>) {
      trouble = next;
    },
    /** Every call that was made, by function, service and operation. */
    calls: (): readonly string[] => calls,
    /** Whether a publisher could not know what the bus had taken, so that events may have come twice. */
    repeatsExplained: () => repeatsExplained,
    started: () => started,
  };
};

/** What becomes of which calls of a story, counted from 0 over all its processes; of the others nothing special. */
export type Plan = ReadonlyMap<number, Fault>;

/** All that can go wrong with a call. */
const faults = faultKinds.filter((fate) => fate !== 'pass');

const isFault = (word: string): word is Fault => faults.some((fate) => fate === word);

/** A plan as it is written on a command line: `3:die-after,7:lose`. */
export const planText = (plan: Plan): string => [...plan].map(([index, fate]) => `${index}:${fate}`).join(',');

/** The plan that a text says; `none` is the undisturbed one. Throws where it says something else. */
export const planFrom = (text: string): Plan =>
  new Map(
    (text === 'none' ? [] : text.split(',')).map((part) => {
      const [, index, fate = ''] = /^(\d+):([a-z-]+)$/.exec(part) ?? [];
      if (index === undefined || !isFault(fate))
        throw new Error(`“${part}” is no fault: write 3:die-after, with one of ${faults.join(', ')}`);
      return [Number(index), fate];
    }),
  );

/** Operations of which a part of the entries can be taken. */
const batches = new Set(['BatchWriteItem', 'PutEvents', 'SendMessageBatch']);

const isDivisible = (call: string): boolean => batches.has(call.split(' ').at(-1) ?? '');

/** Each fault at each of these calls; and a failure and a lost answer also at the call and its second try. */
export const everyPlan = (calls: readonly string[]): readonly Plan[] =>
  calls.flatMap((call, index) => [
    ...faults.filter((fate) => fate !== 'partial' || isDivisible(call)).map((fate) => new Map([[index, fate]])),
    ...(['fail', 'lose'] as const).map((fate) => new Map([index, index + 1].map((at) => [at, fate] as const))),
  ]);

/** How far beyond the undisturbed calls faults may strike: there are the second tries. */
const callsMore = 8;

/** Two to four faults anywhere, the second tries included. */
export const drawnPlan = (random: Random, calls: number): Plan =>
  new Map(
    Array.from({ length: between(random, 2, 4) }, (): [number, Fault] => [
      between(random, 0, calls + callsMore - 1),
      pick(random, faults),
    ]).sort(([one], [other]) => one - other),
  );
