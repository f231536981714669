import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Snapshot } from '../../lib/agents/schema.ts';
import { agentEvents } from '../../lib/contract/agent-events.ts';
import { partition, snapshotAt } from '../support/agents-reader.ts';
import { startTeams, type Teams, team } from '../support/polled-centre.ts';

let teams: Teams;
beforeAll(async () => {
  teams = await startTeams();
});
afterAll(() => teams.stop());

const nila = { agentId: 'nila', name: 'Nila Rao', phoneNumber: '09000000001' };
const omar = { agentId: 'omar', name: 'Omar Nair', phoneNumber: '09000000002' };

/** A team whose clock moves by a slot, or by so many seconds, to its next poll; a poll resolves with its instant. */
const startTeam = async (userName: string) => {
  const centre = await teams.polledTeam(userName);
  onTestFinished(() => centre.stop());
  const poll = async (seconds = 15): Promise<string> => {
    const at = new Date(centre.now() + seconds * 1000).toISOString();
    await centre.poll(at);
    return at;
  };
  const eventsAbout = async (agentId: string) =>
    (await centre.events()).filter(({ detail }) => detail['agentId'] === agentId);
  return { ...centre, poll, eventsAbout, feed: () => centre.row('feed') };
};

describe('the rows and events of an agent', () => {
  it('follow each change from log-in to log-out', async () => {
    const { script, poll, row, feed, query, eventsAbout, events } = await startTeam('changes');
    script(
      { action: 'log-in', ...nila, state: 'READY', skills: ['Sales'] },
      { action: 'log-in', ...omar, state: 'Busy', skills: [] },
    );
    const first = await poll();
    const loggedIn = { ...nila, state: 'ready', stateAsSent: 'READY', skills: ['Sales'], since: first };
    expect(await row('agent#nila')).toMatchObject({ ...loggedIn, loggedInSince: first, version: 1 });
    expect(await feed()).toMatchObject({ status: 'live', asOf: first, counts: { ready: 2, idle: 1, acw: 1, busy: 1 } });

    script(
      { action: 'set-state', agentId: 'nila', state: 'PAUSE', skills: ['Support', 'Sales'] },
      { action: 'set-state', agentId: 'omar', state: 'Busy', phoneNumber: '09000000009' },
    );
    const second = await poll();
    const paused = { ...loggedIn, state: 'pause', stateAsSent: 'PAUSE', skills: ['Support', 'Sales'], since: second };
    expect(await row('agent#nila')).toMatchObject({ ...paused, loggedInSince: first, version: 2 });

    script({ action: 'log-out', agentId: 'nila' });
    const third = await poll();
    expect(await row('agent#nila')).toBeUndefined();
    expect(await feed()).toMatchObject({ asOf: third, counts: { ready: 1, idle: 1, acw: 1, busy: 1 } });

    for (const { type, detail } of await events()) agentEvents[type as keyof typeof agentEvents].parse(detail);
    const left = { ...nila, state: 'logged-out', skills: ['Support', 'Sales'], since: third, loggedInSince: first };
    const change = { occurredAt: second, version: 2, previous: loggedIn, current: paused, secondsInPreviousState: 15 };
    expect(await eventsAbout('nila')).toMatchObject(
      [
        ['Agent Logged In', { occurredAt: first, version: 1, previous: { state: 'logged-out' }, current: loggedIn }],
        ['Agent State Changed', change],
        ['Agent Details Changed', { ...change, changedFields: ['skills'] }],
        [
          'Agent Logged Out',
          { occurredAt: third, version: 3, previous: paused, current: left, secondsInPreviousState: 15 },
        ],
      ].map(([type, detail]) => ({ type, detail: { account: 'changes', schemaVersion: 1, ...Object(detail) } })),
    );
    expect(await eventsAbout('omar')).toMatchObject([
      { type: 'Agent Logged In' },
      { type: 'Agent Details Changed', detail: { changedFields: ['phoneNumber'], secondsInPreviousState: 15 } },
    ]);

    expect((await query(partition('changes#agent#nila'))).rows).toMatchObject([
      { state: 'ready', from: first, to: second, seconds: 15 },
      { state: 'pause', from: second, to: third, seconds: 15 },
    ]);
    const pastStates = await Promise.all(
      [first, second, third].map(async (at) => {
        const [snapshot] = (await query({ ...snapshotAt('changes', at), Limit: 1 })).rows;
        return Snapshot.parse(snapshot).agents.find(({ agentId }) => agentId === 'nila')?.state;
      }),
    );
    expect(pastStates).toEqual(['ready', 'pause', undefined]);
  });

  it('stay as they are while the service fails, and the feed shows since when and why', async () => {
    const { poll, row, feed, setFault, script, events, usage, clock } = await startTeam('failing');
    const seen = clock().toISOString();
    const meera = await row('agent#meera');
    setFault('error');

    const failed = await poll();
    const { failingSince, ...stillLive } = (await feed()) ?? {};
    expect(stillLive).toMatchObject({ status: 'live', asOf: seen });
    expect(Date.parse(String(failingSince)) - Date.parse(failed)).toBeLessThan(5_000);
    await poll(16);
    const interrupted = await feed();
    expect(interrupted).toMatchObject({ status: 'interrupted', asOf: seen, lastProblem: { reason: 'http-error' } });
    const { staleAt, statusSince: interruptedAt, lastProblem } = interrupted ?? {};
    expect(Date.parse(String(staleAt)) - Date.parse(seen)).toBe(30_000);
    expect(String(interruptedAt) >= String(staleAt)).toBe(true);
    expect(await row('agent#meera')).toEqual(meera);

    setFault('none');
    const restored = await poll(60);
    expect(await feed()).toMatchObject({ status: 'live', asOf: restored, lastProblem });
    expect(await row('agent#meera')).toEqual(meera);
    const secondsInterrupted = (Date.parse(restored) - Date.parse(String(interruptedAt))) / 1000;
    expect(await events()).toMatchObject([
      {
        type: 'Agent Feed Interrupted',
        detail: { asOf: seen, reason: 'http-error', occurredAt: interruptedAt },
      },
      {
        type: 'Agent Feed Restored',
        detail: { asOf: restored, interruptedAt, secondsInterrupted: expect.closeTo(secondsInterrupted, 0) },
      },
    ]);
    expect(usage()?.overLimit).toBe(0);

    script({ action: 'log-out', agentId: 'meera' });
    await poll();
    expect(await row('agent#meera')).toBeUndefined();
  });
});

describe('the feed of an account’s agents', () => {
  it.each([
    { cause: 'error', reason: 'http-error' },
    { cause: 'throttle', reason: 'rate-limited' },
    { cause: 'timeout', reason: 'timeout' },
    { cause: 'stopped', reason: 'connection' },
  ] as const)('outlasts a minute of $cause, with one event at its start and one at its end', async (minute) => {
    const { cause, reason } = minute;
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
