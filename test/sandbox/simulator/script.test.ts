import { describe, expect, it } from 'vitest';
import { account } from './support/calls.ts';
import { startService, stoppedClock } from './support/service.ts';

const start = () =>
  startService({ accounts: [account, { userName: 'other', apiKeys: ['other-key'], timeZone: 'UTC' }] });
type Service = Awaited<ReturnType<typeof start>>;
const agents = ({ simulator }: Service) => simulator.agents();
const rows = async ({ logins }: Service) => ((await logins()).json as { message: unknown[] }).message;

describe('a script of agents', () => {
  it('applies one step, and counts the agents that are logged in', async () => {
    const service = await start();

    expect(await service.script({ action: 'log-in', agentId: 'a' })).toMatchObject({
      status: 200,
      json: { applied: 1, loggedIn: { demo: 1, other: 0 } },
    });
  });

  it('applies steps in their order', async () => {
    const service = await start();
    await service.script([
      { action: 'log-in', agentId: 'a', name: 'A', phoneNumber: '1', skills: ['Sales'] },
      { action: 'log-in', agentId: 'b' },
      { action: 'set-state', agentId: 'a', state: 'Tea time', phoneNumber: '2' },
      { action: 'log-out', agentId: 'b' },
      { action: 'log-in', agentId: 'b', state: 'Idle', skills: ['Billing', 'Returns'] },
    ]);

    expect(await rows(service)).toEqual([
      { AgentId: 'a', AgentName: 'A', PhoneNumber: '2', AgentState: 'Tea time', SkillName: 'Sales' },
      expect.objectContaining({ AgentId: 'b', AgentState: 'Idle', SkillName: 'Billing, Returns' }),
    ]);
  });

  it.each<[string, unknown, number, string]>([
    ['a step without its agent', { action: 'set-state', state: 'ACW' }, 400, 'agentId: Invalid input'],
    [
      'a list with such a step',
      [
        { action: 'log-out', agentId: 'a' },
        { action: 'set-state', state: 'ACW' },
      ],
      400,
      '[1].agentId: ',
    ],
    ['an unknown action', [{ action: 'dance', agentId: 'a' }], 400, '[0].action: '],
    ['an unknown field', { action: 'log-out', agentId: 'a', state: 'READY' }, 400, 'Unrecognized key: "state"'],
    ['skills that are no list', { action: 'log-in', agentId: 'b', skills: 'Sales' }, 400, 'skills: '],
    ['a body that is no step', 7, 400, 'body: '],
    [
      'an agent who is not logged in',
      { action: 'set-state', agentId: 'b', state: 'ACW' },
      404,
      'agentId: "b" is not logged in',
    ],
    [
      'an agent who has just logged out',
      [
        { action: 'log-out', agentId: 'a' },
        { action: 'log-out', agentId: 'a' },
      ],
      404,
      '[1].agentId: ',
    ],
    [
      'an agent who is already logged in',
      [{ action: 'log-in', agentId: 'a' }],
      409,
      '[0].agentId: "a" is already logged in',
    ],
    [
      'an unknown account',
      { account: 'nobody', action: 'log-in', agentId: 'b' },
      404,
      'account: Unknown account; the accounts are demo, other',
    ],
  ])('rejects %s, and applies none of the steps', async (_what, steps, status, message) => {
    const service = await start();
    await service.script({ action: 'log-in', agentId: 'a', state: 'ACW' });
    const before = agents(service);

    expect(await service.script(steps)).toMatchObject({ status, json: { message: expect.stringContaining(message) } });
    expect(agents(service)).toEqual(before);
  });
});

describe('the agents', () => {
  it('lists who is logged in at each account, without names and numbers', async () => {
    const service = await start();
    await service.script([
      { action: 'log-in', agentId: 'a', name: 'Somebody', phoneNumber: '12345678', skills: ['Sales'] },
      { action: 'log-in', agentId: 'o', account: 'OTHER', state: 'Idle', skills: [] },
    ]);

    expect(agents(service)).toEqual({
      demo: [{ agentId: 'a', state: 'READY', skills: ['Sales'] }],
      other: [{ agentId: 'o', state: 'Idle', skills: [] }],
    });
  });
});

describe('a script while there is traffic', () => {
  it('removes an agent from the simulation for good', async () => {
    const { clock } = stoppedClock();
    const service = await startService({ traffic: true, clock });
    const [first] = service.simulator.agents()['demo'] ?? [];
    const who = { agentId: first?.agentId };

    expect(await service.script({ action: 'log-in', ...who })).toMatchObject({ status: 409 });
    await service.script({ action: 'set-state', ...who, state: 'Lunching' });
    expect(service.simulator.agents()['demo']).toContainEqual({ ...first, state: 'Lunching' });
    await service.script({ action: 'log-out', ...who });
    expect(service.simulator.agents()['demo']).not.toContainEqual(expect.objectContaining(who));
  });
});
