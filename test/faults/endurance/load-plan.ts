import type { Fault, FaultName } from '../../../sandbox/faults.ts';
import { fork, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { PartOptions } from '../part.ts';

/** How much is posted, and for how long. */
export interface LoadSize {
  /** Posts before anything is measured, while code is loaded and compiled. */
  readonly warmUpPosts: number;
  /** Posts a second, step by step, until the sandbox keeps up no more. */
  readonly ladder: readonly number[];
  readonly stepSeconds: number;
  /** Posts a second while faults come and go, as a share of what was sustained; and the least of them. */
  readonly faultyShare: number;
  readonly leastFaultyRate: number;
  readonly faultySeconds: number;
  /** How long a reply may take while the table hangs: the deadlines deployed, or on a busy machine the function's own. */
  readonly hungReplyMilliseconds: number;
  /** How long a fault lasts at most, and the time between two. */
  readonly longestFaultSeconds: number;
}

/** The sizes of this part. */
export const loadSizes: Readonly<Record<PartOptions['size'], LoadSize>> = {
  quick: {
    warmUpPosts: 10,
    ladder: [15],
    stepSeconds: 1,
    faultyShare: 0.5,
    leastFaultyRate: 20,
    faultySeconds: 4,
    hungReplyMilliseconds: 9_000,
    longestFaultSeconds: 0.8,
  },
  full: {
    warmUpPosts: 300,
    ladder: [25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 600, 800],
    stepSeconds: 10,
    faultyShare: 0.5,
    leastFaultyRate: 10,
    faultySeconds: 150,
    hungReplyMilliseconds: 3_500,
    longestFaultSeconds: 6,
  },
};

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
