import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { drawnPlan, everyPlan, faults, planFrom, planText } from '../../../torture/crash/plan.ts';

describe('a plan', () => {
  it.each(['3:die-after', '0:lose,7:throttle,8:fail', '2:partial,3:die-before'])(
    'is what its text says: %s',
    (text) => {
      expect(planText(planFrom(text))).toBe(text);
    },
  );

  it('of nothing is the undisturbed one', () => {
    expect(planFrom('none').size).toBe(0);
  });

  it.each(['', '3', '3:pass', '3:explode', 'x:lose', '3:lose,'])('is not written as “%s”', (text) => {
    expect(() => planFrom(text)).toThrow('is no fault');
  });
});

describe('every plan', () => {
  const texts = everyPlan(['receive dynamodb PutItem', 'publish eventbridge PutEvents']).map(planText);

  it('has each fault at each call, and parts of a batch only where there is one', () => {
    for (const fate of faults) expect(texts).toContain(`1:${fate}`);
    for (const fate of faults) expect(texts.includes(`0:${fate}`)).toBe(fate !== 'partial');
  });

  it('has both tries of a call fail, and both answers lost', () => {
    expect(texts).toEqual(expect.arrayContaining(['0:fail,1:fail', '0:lose,1:lose', '1:lose,2:lose']));
  });
});

describe('a drawn plan', () => {
  const plans = Array.from({ length: 200 }, (_, seed) => drawnPlan(seededRandom(seed), 10));

  it('has up to four faults, in the order of the calls, the second tries among them', () => {
    for (const plan of plans) {
      const indices = [...plan.keys()];
      expect(plan.size).toBeGreaterThanOrEqual(1);
      expect(plan.size).toBeLessThanOrEqual(4);
      expect(indices).toEqual(indices.toSorted((one, other) => one - other));
    }
    expect(Math.max(...plans.flatMap((plan) => [...plan.keys()]))).toBe(17);
    expect(new Set(plans.flatMap((plan) => [...plan.values()]))).toEqual(new Set(faults));
  });

  it('is the same for the same seed', () => {
    expect(drawnPlan(seededRandom(7), 10)).toEqual(drawnPlan(seededRandom(7), 10));
  });
});
