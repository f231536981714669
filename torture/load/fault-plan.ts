import type { Fault, FaultName } from '../../sandbox/faults/fault.ts';
import { fork, pick, type Random } from '../../sandbox/simulator/random.ts';

/** A fault that begins, or ends, so many seconds from the start. */
export interface FaultStep {
  readonly at: number;
  readonly name: FaultName;
  readonly fault: Fault;
}

const modes = ['throttle', 'error', 'timeout'] as const;
const rates = [0.02, 0.1, 0.3, 0.6, 1] as const;
const none: Fault = { mode: 'none', rate: 1 };

const faultsOf = (name: FaultName, random: Random, seconds: number, longest: number): readonly FaultStep[] => {
  const steps: FaultStep[] = [];
  const length = (): number => longest * (0.2 + 0.8 * random());
  for (let at = length(); at < seconds; at += length()) {
    steps.push({ at, name, fault: { mode: pick(random, modes), rate: pick(random, rates) } });
    at += length();
    steps.push({ at, name, fault: none });
  }
  return steps;
};

/** In force when the sandbox is killed: posts wait for the table, are parked, and events are refused. */
const pressure: readonly Omit<FaultStep, 'at'>[] = [
  { name: 'dynamodb', fault: { mode: 'timeout', rate: 0.6 } },
  { name: 'queue', fault: { mode: 'error', rate: 0.1 } },
  { name: 'eventbridge', fault: { mode: 'throttle', rate: 0.3 } },
];

/** Faults of table, bus and queue that come and go independently of each other, for so many seconds. */
export const faultPlan = (random: Random, seconds: number, longest: number): readonly FaultStep[] =>
  (['dynamodb', 'eventbridge', 'queue'] as const)
    .flatMap((name) => faultsOf(name, fork(random), seconds, longest))
    .filter(({ at }) => at < seconds)
    .sort((one, later) => one.at - later.at);

/** The same with a kill to come at its end: all of the three are in trouble then, for the last of the time. */
export const faultPlanToKill = (random: Random, seconds: number, longest: number): readonly FaultStep[] => {
  const pressedAt = seconds - longest;
  return [...faultPlan(random, pressedAt, longest), ...pressure.map((step) => ({ at: pressedAt, ...step }))];
};
