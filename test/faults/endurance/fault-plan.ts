import type { Fault, FaultName } from '../../../sandbox/faults.ts';
import { fork, pick, type Random } from '../../../sandbox/simulator/random.ts';

/** A fault that begins or ends, in seconds from the start of the plan. */
export interface FaultChange {
  readonly at: number;
  readonly name: FaultName;
  readonly fault: Fault;
}

export const noFault: Fault = { mode: 'none', rate: 1 };

/** Faults of table, bus and queue that begin and end independently of each other. Times are in seconds. */
export const faultPlan = (random: Random, seconds: number, longest: number): readonly FaultChange[] =>
  (['dynamodb', 'eventbridge', 'queue'] as const)
    .flatMap((name) => changesOf(name, fork(random), seconds, longest))
    .filter(({ at }) => at < seconds)
    .sort((one, later) => one.at - later.at);

/** A plan before a kill: towards its end all three services are in trouble. */
export const faultPlanToKill = (random: Random, seconds: number, longest: number): readonly FaultChange[] => {
  const pressureAt = seconds - longest;
  return [...faultPlan(random, pressureAt, longest), ...pressure.map((change) => ({ at: pressureAt, ...change }))];
};

const modes = ['throttle', 'error', 'timeout'] as const;
const rates = [0.02, 0.1, 0.3, 0.6, 1] as const;

const changesOf = (name: FaultName, random: Random, seconds: number, longest: number): readonly FaultChange[] => {
  const changes: FaultChange[] = [];
  const length = (): number => longest * (0.2 + 0.8 * random());
  for (let at = length(); at < seconds; at += length()) {
    changes.push({ at, name, fault: { mode: pick(random, modes), rate: pick(random, rates) } });
    at += length();
    changes.push({ at, name, fault: noFault });
  }
  return changes;
};

/** In force at the kill: posts wait for the table, some are parked, and events are rejected. */
const pressure: readonly Omit<FaultChange, 'at'>[] = [
  { name: 'dynamodb', fault: { mode: 'timeout', rate: 0.6 } },
  { name: 'queue', fault: { mode: 'error', rate: 0.1 } },
  { name: 'eventbridge', fault: { mode: 'throttle', rate: 0.3 } },
];
