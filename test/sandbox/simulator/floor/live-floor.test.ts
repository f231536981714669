import { describe, expect, it } from 'vitest';
import { createLiveFloor, deserted } from '../../../../sandbox/simulator/floor/live-floor.ts';
import { shiftsFor } from '../../../../sandbox/simulator/floor/shifts.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { floor, noon } from '../support/calls.ts';

const lively = () => createLiveFloor(floor, shiftsFor(seededRandom(1), floor.agents, noon));
const stateOf = (live: ReturnType<typeof lively>, agentId: string, at = noon) =>
  live.loggedInAt(at).find(({ id }) => id === agentId)?.state;

/** Somebody who is ready at noon. */
const workerOn = (live: ReturnType<typeof lively>) => {
  const worker = floor.agents.find(({ id }) => stateOf(live, id) === 'READY');
  if (worker === undefined) throw new Error('Nobody is ready');
  return worker;
};

describe('createLiveFloor', () => {
  it('shows nobody who has no shifts', () => {
    expect(createLiveFloor(floor).loggedInAt(noon)).toEqual([]);
    expect(createLiveFloor(deserted).loggedInAt(noon)).toEqual([]);
  });

  it('shows an engaged agent in the call', () => {
    const live = lively();
    const agent = workerOn(live);
    live.engage([{ agent, callId: '1', ringsAt: noon, talksAt: noon, leavesAt: noon + 10, readyAt: noon + 20 }], noon);

    expect(stateOf(live, agent.id)).toBe('INCALL');
    expect(stateOf(live, agent.id, noon + 10)).toBe('ACW');
  });

  it('shows a scripted agent as scripted, and plans no calls with them', () => {
    const live = lively();
    const agent = workerOn(live);
    live.script(new Map([[agent.id, { ...agent, state: 'Lunching' }]]));

    expect(stateOf(live, agent.id)).toBe('Lunching');
    expect(live.planned().isThere(agent.id, noon, noon + 1)).toBe(false);
    expect(live.loggedInAt(noon).filter(({ id }) => id === agent.id)).toHaveLength(1);
  });

  it('never shows an agent again who was scripted away', () => {
    const live = lively();
    const agent = workerOn(live);
    live.script(new Map([[agent.id, undefined]]));

    for (let hours = 0; hours < 10; hours += 0.1)
      expect(stateOf(live, agent.id, noon + hours * 3_600_000)).toBeUndefined();
  });
});
