import type { Call, Fate, ServiceName } from '../world/fate.ts';
import type { Instance } from '../world/instance.ts';
import type { LocalWorld } from '../world/local-world.ts';
import type { Centre } from './centre.ts';
import type { Plan } from './plan.ts';

/** The functions that a story runs. */
export type FunctionOf = 'receive' | 'recover' | 'publish' | 'poll';

/** What the processes of a story run in. */
export interface Around {
  readonly world: Pick<LocalWorld, 'start' | 'advance'>;
  readonly plan: Plan;
  readonly centre: Centre;
  /** Closes the socket of the next request to the centre, where that is reached over HTTP. */
  readonly strike?: ((fate: Fate) => void) | undefined;
}

/** How long a question goes unanswered before it is given up, as the poller does. */
const timeoutMs = 4_000;

/** A process of each function, a new one after each death; all their calls are counted together, and meet the plan. */
export const createProcesses = ({ world, plan, centre, strike }: Around) => {
  const alive = new Map<FunctionOf, Instance>();
  const calls: string[] = [];
  let trouble: Partial<Record<ServiceName, Fate>> = {};
  let repeatsExplained = false;
  let started = 0;

  /** A centre that is told off, or reached over HTTP, brings its own fate about. */
  const atCentre = (fate: Fate): Fate => {
    if (fate === 'lose') world.advance(timeoutMs);
    if (fate === 'throttle') {
      centre.tire();
      return 'pass';
    }
    if (strike === undefined || (fate !== 'fail' && fate !== 'lose')) return fate;
    strike(fate);
    return 'pass';
  };

  const fateOf = (name: FunctionOf, { service, operation }: Call): Fate => {
    const fate = plan.get(calls.length) ?? trouble[service] ?? 'pass';
    calls.push(`${name} ${service} ${operation.replace(/^.*\//, '')}`);
    if (name === 'publish' && (fate === 'lose' || fate.startsWith('die'))) repeatsExplained = true;
    return service === 'telephony' ? atCentre(fate) : fate;
  };

  const start = (name: FunctionOf): Instance => {
    started += 1;
    const instance: Instance = world.start((call) => (instance.isDead() ? 'pass' : fateOf(name, call)));
    alive.set(name, instance);
    return instance;
  };

  return {
    /** The process of a function: a new one, if there is none that lives. */
    of(name: FunctionOf): Instance {
      const instance = alive.get(name);
      return instance === undefined || instance.isDead() ? start(name) : instance;
    },
    /** Every function is started anew when it is next asked. */
    restart: () => alive.clear(),
    /** What happens to every call of these services for which the plan has nothing else. */
    trouble(next: Partial<Record<ServiceName, Fate>>) {
      trouble = next;
    },
    /** Every call that was made, by function, service and operation. */
    calls: (): readonly string[] => calls,
    /** Whether a publisher could not know what the bus had taken, so that events may have come twice. */
    repeatsExplained: () => repeatsExplained,
    started: () => started,
  };
};
