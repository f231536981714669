import { describe, expect, it } from 'vitest';
import { scenarios } from '../../../torture/crash/scenarios/scenarios.ts';
import { type Outcome, untilStruck } from '../../../torture/crash/until-struck.ts';

const [scenario] = scenarios;
const attempt = { scenario, undisturbed: {}, plan: new Map([[3, 'die-after']]) } as never;
const missed: Outcome = { failures: [], struck: 0 };
const struck: Outcome = { failures: [], struck: 1 };
const broken: Outcome = { failures: ['x'], struck: 0 };

/** Makes attempts with these outcomes, one after the other, and the last one for ever. */
const making = async (...outcomes: readonly Outcome[]) => {
  let made = 0;
  const outcome = await untilStruck(attempt, async () => outcomes[Math.min(made++, outcomes.length - 1)] ?? missed);
  return { outcome, made };
};

describe('an attempt', () => {
  it.each([
    ['once, where its fault meets a call', [struck], { outcome: struck, made: 1 }],
    ['again, until its fault meets a call', [missed, missed, struck], { outcome: struck, made: 3 }],
    ['no more, once a guarantee is broken', [missed, broken, struck], { outcome: broken, made: 2 }],
  ])('is made %s', async (_title, outcomes, expected) => {
    expect(await making(...outcomes)).toEqual(expected);
  });

  it('fails where its fault never meets a call', async () => {
    const { outcome, made } = await making(missed);

    expect(made).toBeGreaterThan(1);
    expect(outcome).toEqual({
      failures: [`${scenario?.name} with 3:die-after: met no call in ${made} runs`],
      struck: 0,
    });
  });
});
