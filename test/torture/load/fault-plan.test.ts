import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { faultPlan, faultPlanToKill } from '../../../torture/load/fault-plan.ts';

const plan = faultPlan(seededRandom(1), 120, 6);

describe('faultPlan', () => {
  it('is the same for the same seed', () => {
    expect(faultPlan(seededRandom(1), 120, 6)).toEqual(plan);
    expect(faultPlan(seededRandom(2), 120, 6)).not.toEqual(plan);
  });

  it('hits table, bus and queue in every way, one step after the other', () => {
    const of = (name: string) => new Set(plan.filter((step) => step.name === name).map(({ fault }) => fault.mode));

    for (const name of ['dynamodb', 'eventbridge', 'queue'])
      expect(of(name)).toEqual(new Set(['none', 'throttle', 'error', 'timeout']));
    expect(plan.map(({ at }) => at)).toEqual(plan.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('lifts each fault before the next one of the same name, and ends in time', () => {
    for (const steps of Map.groupBy(plan, ({ name }) => name).values())
      for (const [index, { fault }] of steps.entries()) expect(fault.mode === 'none').toBe(index % 2 === 1);
    expect(plan.at(-1)?.at).toBeLessThan(120);
  });
});

describe('faultPlanToKill', () => {
  it('ends with table, queue and bus in trouble', () => {
    const last = faultPlanToKill(seededRandom(1), 60, 6).slice(-3);

    expect(last.map(({ at, name, fault }) => [at, name, fault.mode])).toEqual([
      [54, 'dynamodb', 'timeout'],
      [54, 'queue', 'error'],
      [54, 'eventbridge', 'throttle'],
    ]);
  });
});
