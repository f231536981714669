import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTeams, type Teams, team } from '../support/polled-centre.ts';

let teams: Teams;
beforeAll(async () => {
  teams = await startTeams();
});
afterAll(() => teams.stop());

describe('the feed of an account’s agents', () => {
  it.each([
    { cause: 'error', reason: 'http-error' },
    { cause: 'throttle', reason: 'rate-limited' },
    { cause: 'timeout', reason: 'timeout' },
    { cause: 'stopped', reason: 'connection' },
  ] as const)('outlasts a minute of $cause, which is told once, as is its end', async ({ cause, reason }) => {
    const centre = await teams.polledTeam(cause);
    onTestFinished(() => centre.stop());
    const before = await centre.floor();

    if (cause === 'stopped') await centre.stop();
    else centre.setFault(cause);
    for (let slot = 0; slot < 4; slot++) await centre.poll();
    const meanwhile = await centre.floor();
    expect(meanwhile).toMatchObject({
      agents: before.agents,
      feed: { status: 'interrupted', asOf: before.feed?.['asOf'], agentCount: 3, lastProblem: { reason } },
    });
    const [interrupted, ...none] = await centre.events();
    expect([interrupted, none]).toMatchObject([{ type: 'Agent Feed Interrupted', detail: { reason } }, []]);

    centre.setFault('none');
    if (cause === 'stopped') {
      await centre.restartService();
      centre.script(...team);
    }
    for (let slot = 0; slot < 5; slot++) await centre.poll();
    const { agents, feed } = await centre.floor();
    expect([agents, feed?.['status']]).toEqual([before.agents, 'live']);
    const [, restored, ...others] = await centre.events();
    expect(others).toEqual([]);
    expect(restored).toMatchObject({
      type: 'Agent Feed Restored',
      detail: { interruptedAt: interrupted?.detail['occurredAt'], asOf: feed?.['statusSince'] },
    });
  });
});
