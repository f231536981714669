import { describe, expect, it } from 'vitest';
import { createFloor, engaged, freeAgents } from '../../../../sandbox/simulator/floor/floor.ts';
import { skills } from '../../../../sandbox/simulator/floor/people.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { callOf, floor, noon, seeds } from '../support/calls.ts';

describe('createFloor', () => {
  it('gives every agent an id, a unique id and a number of their own', () => {
    for (const key of ['id', 'uniqueId', 'number'] as const)
      expect(new Set(floor.agents.map((agent) => agent[key])).size).toBe(40);
  });

  it('staffs every skill well enough for a call with three agents, however small it is', () => {
    const small = createFloor(seededRandom(9), 1);

    for (const skill of skills) expect(freeAgents(small, skill, 0, 1).length).toBeGreaterThanOrEqual(3);
  });

  it('uses numbers that a regulator keeps for fiction', () => {
    for (const { number } of floor.agents) expect(number).toMatch(/^441632960\d{3}$/);
    for (const { did } of floor.campaigns) expect(did).toMatch(/^442079460\d{3}$/);
    for (const seed of seeds)
      for (const { customer } of callOf(seed).calls) expect(customer).toMatch(/^447700900\d{3}$/);
  });
});

describe('freeAgents', () => {
  const [agent] = floor.agents;
  if (agent === undefined) throw new Error('The floor is empty');
  const [skill = ''] = agent.skills;
  const engagement = { agent, callId: '1', ringsAt: noon, talksAt: noon + 5, leavesAt: noon + 50, readyAt: noon + 70 };
  const busy = engaged(floor, [engagement], noon);

  it('does not count an agent who is busy for a part of the time', () => {
    expect(freeAgents(busy, skill, noon - 10, noon)).toContain(agent);
    expect(freeAgents(busy, skill, noon - 10, noon + 1)).not.toContain(agent);
    expect(freeAgents(busy, skill, noon + 69, noon + 99)).not.toContain(agent);
    expect(freeAgents(busy, skill, noon + 70, noon + 99)).toContain(agent);
  });

  it('does not count an agent who is not there all the time', () => {
    const until = (limit: number) => ({ ...floor, isThere: (_id: string, _from: number, end: number) => end <= limit });

    expect(freeAgents(until(noon + 99), skill, noon, noon + 99)).toContain(agent);
    expect(freeAgents(until(noon + 98), skill, noon, noon + 99)).toEqual([]);
  });
});

describe('engaged', () => {
  it('forgets what is long over', () => {
    const [agent] = floor.agents;
    if (agent === undefined) throw new Error('The floor is empty');
    const engagement = { agent, callId: '1', ringsAt: noon, talksAt: noon, leavesAt: noon, readyAt: noon + 70 };
    const busy = engaged(floor, [engagement], noon);

    expect(engaged(busy, [], noon + 60_000).engagements).toHaveLength(1);
    expect(engaged(busy, [], noon + 60 * 60_000).engagements).toHaveLength(0);
  });
});
