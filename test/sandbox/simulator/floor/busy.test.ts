import { describe, expect, it } from 'vitest';
import { busyAt } from '../../../../sandbox/simulator/floor/busy.ts';
import { engaged } from '../../../../sandbox/simulator/floor/floor.ts';
import { floor, noon } from '../support/calls.ts';

const [agent, other] = floor.agents;
if (agent === undefined || other === undefined) throw new Error('The floor is empty');
const engagement = { agent, callId: '1', ringsAt: noon, talksAt: noon + 5, leavesAt: noon + 50, readyAt: noon + 70 };
const busy = engaged(floor, [engagement], noon);

describe('busyAt', () => {
  it.each([
    [-1, undefined],
    [0, 'calling'],
    [4, 'calling'],
    [5, 'INCALL'],
    [49, 'INCALL'],
    [50, 'ACW'],
    [69, 'ACW'],
    [70, undefined],
  ] as const)('at %i ms of a call says %s', (after, state) => {
    expect(busyAt(busy, noon + after).get(agent.id)).toBe(state);
  });

  it('says nothing of the others', () => {
    expect(busyAt(busy, noon + 10).has(other.id)).toBe(false);
  });
});
