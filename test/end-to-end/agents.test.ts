import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Snapshot } from '../../lib/agents/snapshot.ts';
import { partition, snapshotAt } from '../support/agents-reader.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../support/agents-sandbox.ts';

let sandbox: AgentsSandbox;
beforeAll(async () => {
  sandbox = await startAgentsSandbox();
});
afterAll(() => sandbox.stop());

const rowOf = async (sk: string) => (await sandbox.get({ pk: { S: 'demo' }, sk: { S: sk } })).rows[0];
const feed = () => rowOf('feed');

/** The events about agents, from those that a test has seen on. */
const eventsAbout = async (...agentIds: readonly string[]) =>
  (await sandbox.events()).filter(({ detail }) => agentIds.includes(detail.agentId ?? ''));
const feedEventsAfter = async (at: string) =>
  (await sandbox.events()).filter(
    ({ 'detail-type': type, detail }) => type.startsWith('Agent Feed') && String(detail['occurredAt']) > at,
  );

const asha = { agentId: 'asha', name: 'Asha Rao', phoneNumber: '09000000001' };
const ravi = { agentId: 'ravi', name: 'Ravi Nair', phoneNumber: '09000000002' };

describe('the whole system', () => {
  it('tells, row by row and event by event, what agents do from log-in to log-out', async () => {
    await sandbox.script(
      { action: 'log-in', ...asha, state: 'READY', skills: ['Sales'] },
      { action: 'log-in', ...ravi, state: 'Busy', skills: [] },
    );
    const first = await sandbox.poll(120);
    const loggedIn = { ...asha, state: 'ready', stateAsSent: 'READY', skills: ['Sales'], since: first };
    expect(await rowOf('agent#asha')).toMatchObject({ ...loggedIn, loggedInSince: first, version: 1 });
    expect(await feed()).toMatchObject({ status: 'live', asOf: first, counts: { ready: 1, busy: 1 } });

    await sandbox.script(
      { action: 'set-state', agentId: 'asha', state: 'PAUSE', skills: ['Support', 'Sales'] },
      { action: 'set-state', agentId: 'ravi', state: 'Busy', phoneNumber: '09000000009' },
    );
    const second = await sandbox.poll();
    const paused = { ...loggedIn, state: 'pause', stateAsSent: 'PAUSE', skills: ['Sales', 'Support'], since: second };
    expect(await rowOf('agent#asha')).toMatchObject({ ...paused, loggedInSince: first, version: 2 });

    await sandbox.script({ action: 'log-out', agentId: 'asha' });
    const third = await sandbox.poll();
    expect(await rowOf('agent#asha')).toBeUndefined();
    expect(await feed()).toMatchObject({ asOf: third, counts: { busy: 1 } });

    await expect.poll(() => eventsAbout('asha'), { timeout: 10_000 }).toHaveLength(4);
    const about = { source: 'callfeed', detail: { account: 'demo', schemaVersion: 1 } };
    const left = { ...asha, state: 'logged-out', skills: ['Sales', 'Support'], since: third, loggedInSince: first };
    const change = { occurredAt: second, version: 2, previous: loggedIn, current: paused, secondsInPreviousState: 15 };
    expect(await eventsAbout('asha')).toMatchObject(
      [
        ['Agent Logged In', { occurredAt: first, version: 1, previous: { state: 'logged-out' }, current: loggedIn }],
        ['Agent State Changed', change],
        ['Agent Details Changed', { ...change, changedFields: ['skills'] }],
        [
          'Agent Logged Out',
          { occurredAt: third, version: 3, previous: paused, current: left, secondsInPreviousState: 15 },
        ],
      ].map(([type, detail]) => ({ ...about, 'detail-type': type, detail })),
    );
    expect(await eventsAbout('ravi')).toMatchObject([
      { 'detail-type': 'Agent Logged In' },
      {
        'detail-type': 'Agent Details Changed',
        detail: { changedFields: ['phoneNumber'], secondsInPreviousState: 15 },
      },
    ]);

    const stretches = (await sandbox.query(partition('demo#agent#asha'))).rows;
    expect(stretches).toMatchObject([
      { state: 'ready', from: first, to: second, seconds: 15 },
      { state: 'pause', from: second, to: third, seconds: 15 },
    ]);
    const stateOnFloors = await Promise.all(
      [first, second, third].map(async (at) => {
        const [floor] = (await sandbox.query({ ...snapshotAt('demo', at), Limit: 1 })).rows;
        return Snapshot.parse(floor).agents.find(({ agentId }) => agentId === 'asha')?.state;
      }),
    );
    expect(stateOnFloors).toEqual(['ready', 'pause', undefined]);
  });

  it('keeps the floor while the service fails, says since when and why, and tells of it and of its end', async () => {
    await sandbox.script({ action: 'log-in', agentId: 'meera', state: 'READY' });
    const seen = await sandbox.poll(120);
    const meera = await rowOf('agent#meera');
    await sandbox.setFault('provider', 'error');

    const failed = await sandbox.poll();
    expect(await feed()).toMatchObject({ status: 'live', asOf: seen, failingSince: failed });
    // A second after the picture is stale.
    const problem = { reason: 'http-error', at: await sandbox.poll(16) };
    const interrupted = await feed();
    expect(interrupted).toMatchObject({ status: 'interrupted', asOf: seen, lastProblem: problem });
    const { staleAt, statusSince: interruptedAt } = interrupted ?? {};
    expect(Date.parse(String(staleAt)) - Date.parse(seen)).toBe(30_000);
    expect(String(interruptedAt) >= String(staleAt)).toBe(true);
    expect(await rowOf('agent#meera')).toEqual(meera);

    await sandbox.setFault('provider', 'none');
    const restored = await sandbox.poll(60);
    expect(await feed()).toMatchObject({ status: 'live', asOf: restored, lastProblem: problem });
    expect(await rowOf('agent#meera')).toEqual(meera);
    await expect
      .poll(() => feedEventsAfter(seen), { timeout: 10_000 })
      .toMatchObject([
        {
          'detail-type': 'Agent Feed Interrupted',
          detail: { asOf: seen, reason: 'http-error', occurredAt: interruptedAt },
        },
        {
          'detail-type': 'Agent Feed Restored',
          detail: { asOf: restored, interruptedAt, secondsInterrupted: expect.closeTo(61, 0) },
        },
      ]);
    expect((await eventsAbout('meera')).map(({ 'detail-type': type }) => type)).toEqual(['Agent Logged In']);
    expect((await sandbox.state()).provider['demo']).toMatchObject({ overLimit: 0 });

    await sandbox.script({ action: 'log-out', agentId: 'meera' });
    await sandbox.poll();
    expect(await rowOf('agent#meera')).toBeUndefined();
  });
});
