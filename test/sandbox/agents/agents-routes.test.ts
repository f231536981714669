import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../lib/result.ts';
import { scriptAgents, tellAgents } from '../../../sandbox/agents/agents-routes.ts';
import type { ScriptOutcome } from '../../../sandbox/simulator/script/script.ts';

const simulatorWith = (outcome: ScriptOutcome) => ({
  script: () => outcome,
  agents: () => ({ demo: [{ agentId: 'asha', state: 'READY', skills: ['Sales'] }] }),
});
const scripted = (outcome: ScriptOutcome | undefined) => {
  const told: number[] = [];
  const { status, body } = scriptAgents(outcome && simulatorWith(outcome), '[]', (steps) => told.push(steps));
  return { status, body: JSON.parse(String(body)), told };
};
const done = { applied: 3, loggedIn: { demo: 2 } };

describe('scriptAgents', () => {
  it('says what was done, and tells how many steps', () => {
    expect(scripted(ok(done))).toEqual({ status: 200, body: done, told: [3] });
  });

  it('says what is wrong, and tells nothing', () => {
    const message = '[1].state: Invalid input';

    expect(scripted(fail({ status: 400, message }))).toEqual({ status: 400, body: { message }, told: [] });
  });

  it('says that nothing is simulated', () => {
    expect(scripted(undefined)).toMatchObject({ status: 409, body: { message: /Nothing is simulated/ } });
  });
});

describe('tellAgents', () => {
  it('says who is logged in', () => {
    const { status, body } = tellAgents(simulatorWith(ok(done)));

    expect([status, JSON.parse(String(body))]).toEqual([
      200,
      { demo: [{ agentId: 'asha', state: 'READY', skills: ['Sales'] }] },
    ]);
  });

  it('says that nothing is simulated', () => {
    expect(tellAgents(undefined).status).toBe(409);
  });
});
