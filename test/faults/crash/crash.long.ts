import { afterAll, beforeAll, expect, it } from 'vitest';
import { inParallel } from '../../../lib/core/collections.ts';
import { print } from '../../../sandbox/cli/terminal.ts';
import { fork, type Random, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import { seed } from '../../support/arbitraries.ts';
import { dynamodbEndpoint } from '../../support/dynamodb-local.ts';
import { isFull, show } from '../property.ts';
import { check } from './check.ts';
import { drawnPlan, everyPlan, type Plan, planFrom, planText } from './processes.ts';
import { createTestBed, type FinalState, runScenario, type Scenario, type TestBed } from './scenario.ts';
import { pollScenarios, publishScenarios, receiveScenarios, recoverScenarios } from './scenarios.ts';

interface PlanResult {
  readonly final: FinalState | undefined;
  /** Each broken guarantee, and how to reproduce it. */
  readonly failures: readonly string[];
  /** How many of the planned faults were injected. */
  readonly injected: number;
}

/** Plays a scenario with faults and compares the final state with the baseline. Without a baseline it becomes the baseline. */
const tryPlan = async ({
  scenario,
  plan,
  baseline,
}: Omit<Attempt, 'baseline'> & Partial<Attempt>): Promise<PlanResult> => {
  const faults = plan.size === 0 ? 'none' : planText(plan);
  const described = (problem: string): string =>
    `${problem.slice(0, 1_500)} — FAULT_PLAN='${scenario.name} ${faults}' plays it again`;
  try {
    const final = await runScenario(testBed, scenario, plan);
    const problems = await check(scenario, final, baseline ?? final);
    const injected = [...plan.keys()].filter((index) => index < final.calls.length).length;
    return { final, failures: problems.map(described), injected };
  } catch (error) {
    const failures = [described(error instanceof Error ? (error.stack ?? error.message) : String(error))];
    return { final: undefined, failures, injected: 0 };
  }
};

/** After so many runs without the call the baseline must be wrong. */
const maxTries = 5;

/**
 * Repeats an attempt until its fault is injected. A stream delivers what it has at the time, so the number of the
 * publisher’s calls varies, most on a busy machine; and no single fault may be left out.
 */
const untilInjected = async (attempt: Attempt): Promise<Pick<PlanResult, 'failures' | 'injected'>> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const result = await tryPlan(attempt);
    if (result.failures.length > 0 || result.injected > 0) return result;
  }
  const { scenario, plan } = attempt;
  return { failures: [`${scenario.name} with ${planText(plan)}: was never injected in ${maxTries} runs`], injected: 0 };
};

/** Applies `act` to every item, so many at a time. The results are in the order of the items. */
const mapConcurrently = async <In, Out>(
  concurrency: number,
  items: readonly In[],
  act: (item: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results: Out[] = new Array(items.length);
  await inParallel([...items.entries()], concurrency, async ([index, item]) => {
    results[index] = await act(item);
  });
  return results;
};

/** A scenario, its final state without a fault, and the planned faults. */
interface Attempt {
  readonly scenario: Scenario;
  readonly baseline: FinalState;
  readonly plan: Plan;
}

type Baseline = Omit<Attempt, 'plan'>;

const everyAttempt = (known: readonly Baseline[]): readonly Attempt[] =>
  known.flatMap(({ scenario, baseline }) => everyPlan(baseline.calls).map((plan) => ({ scenario, baseline, plan })));

/** So many attempts with several random faults, spread over all scenarios. */
const drawnAttempts = (known: readonly Baseline[], random: Random, count: number): readonly Attempt[] =>
  known.flatMap(({ scenario, baseline }) =>
    Array.from({ length: Math.ceil(count / known.length) }, () => ({
      scenario,
      baseline,
      plan: drawnPlan(random, baseline.calls.length),
    })),
  );

const kindOf = ({ baseline, plan }: Attempt): string => {
  const [first = 0] = plan.keys();
  return [baseline.calls[first]?.split(' ').slice(0, 2), ...plan.values()].join(' ');
};

/** One fault, or a failure of a call and of its retry. */
const isPlain = ({ plan }: Attempt): boolean =>
  plan.size === 1 || [...plan.values()].every((fault) => fault === 'fail');

const oneOfEachKind = (attempts: readonly Attempt[], random: Random): readonly Attempt[] => {
  const drawn = shuffled(random, attempts).filter(isPlain);
  return [...Map.groupBy(drawn, kindOf).values()].flatMap((all) => all.slice(0, 1));
};

const scenarios = [...receiveScenarios, ...recoverScenarios, ...publishScenarios, ...pollScenarios];

/** Runs at the same time, which share each read of a stream. */
const concurrency = 8;

let testBed: TestBed;

beforeAll(async () => {
  testBed = await createTestBed(await dynamodbEndpoint());
});

afterAll(() => testBed.close());

const replayed = process.env['FAULT_PLAN']?.split(' ');

it.runIf(replayed !== undefined)(
  'FAULT_PLAN plays a scenario with its faults, and prints its calls and events',
  async () => {
    const [name, faults = 'none'] = replayed ?? [];
    const scenario = scenarios.find((each) => each.name === name);
    if (scenario === undefined)
      throw new RangeError(`The scenarios are: ${scenarios.map((each) => each.name).join(', ')}`);
    const plan = planFrom(faults);
    const { final: baseline } = await tryPlan({ scenario, plan: new Map() });
    const { final, failures } = await tryPlan({ scenario, plan, baseline });
    for (const [index, call] of (final?.calls ?? []).entries())
      print(`${index}  ${call}${plan.has(index) ? `  <- ${plan.get(index)}` : ''}`);
    for (const { 'detail-type': type, detail } of final?.events ?? []) print(`event ${type} ${JSON.stringify(detail)}`);
    expect(failures).toEqual([]);
  },
);

it.skipIf(replayed !== undefined)('every guarantee holds with a fault or crash of each kind at each call', async () => {
  const random = seededRandom(seed);
  const first = await mapConcurrently(concurrency, scenarios, async (scenario) => ({
    scenario,
    ...(await tryPlan({ scenario, plan: new Map() })),
  }));
  const known = first.flatMap(({ scenario, final }): readonly Baseline[] =>
    final !== undefined && (isFull || scenario.quick) ? [{ scenario, baseline: final }] : [],
  );
  const every = everyAttempt(known.filter(({ scenario }) => !scenario.drawnOnly));
  const single = isFull ? shuffled(fork(random), every) : oneOfEachKind(every, fork(random));
  const drawn = drawnAttempts(known, fork(random), isFull ? 500 : known.length);
  const tried = await mapConcurrently(
    concurrency,
    [...single.map((attempt) => () => untilInjected(attempt)), ...drawn.map((attempt) => () => tryPlan(attempt))],
    (act) => act(),
  );
  show('crash', {
    scenarios: scenarios.length,
    'calls at which a process can crash': known.reduce((sum, { baseline }) => sum + baseline.calls.length, 0),
    'attempts with one fault, at one call or at its two tries': single.length,
    'attempts with two to four faults': drawn.length,
    'faults injected': tried.reduce((sum, { injected }) => sum + injected, 0),
  });
  // More would not be read.
  expect([...first, ...tried].flatMap(({ failures }) => failures).slice(0, 20)).toEqual([]);
  expect(single.length).toBeGreaterThan(30);
});
