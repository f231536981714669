import { describe, expect, it } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { later, startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at, json } = deployment;
const day = ['timeline', 'asha', '--day', '2026-11-21'];

describe('callfeed agents', () => {
  it('shows who is logged in, in which state and for how long', async () => {
    const { output } = await at(['agents']);

    expect(output).toMatch(/^demo, as of 2026-11-22T09:00:15.000Z, 5s ago\.\nAGENT +STATE +SINCE +FOR +SKILLS\n/);
    expect(output).toMatch(/^asha +ready +2026-11-22T06:00:00.000Z +3h 00m 20s/m);
    expect(output).toMatch(/^zoe +unknown +2026-11-22T09:00:15.000Z +5s +Sales\\u001b\[2J$/m);
    expect((await at(['agents', '--state', 'pause'])).output).toMatch(/asha#2[\s\S]*ravi|ravi[\s\S]*asha#2/);
  });

  it.each<[readonly string[], string, Partial<Context>?]>([
    [['nobody'], 'No such agent is logged in.\n'],
    [['--state', 'busy'], 'Nobody is in that state.\n'],
    [[], 'Nobody is logged in.\n', { connect: deployment.withNobodyLoggedIn }],
  ])('notes that nobody matches, beside how old that is: %j', async (args, notes, connected = {}) => {
    expect(await at(['agents', ...args], connected)).toMatchObject({ code: 0, notes });
    const stale = await at(['agents', ...args], { ...connected, ...later });
    expect(stale).toMatchObject({ code: 0, notes, output: expect.stringMatching(/^STALE/) });
  });

  it('prints lastKnownAgents when stale, and no agents when never polled', async () => {
    const [live] = await json(['agents']);
    const [stale] = await json(['agents'], later);
    const [state] = await json(['agents', '--state', 'ready'], later);
    const [none] = await json(['agents', '--account', 'nobody']);

    expect(live).toMatchObject({ account: 'demo', freshness: 'live', ageSeconds: 5, agents: expect.any(Array) });
    expect(stale).toMatchObject({ freshness: 'stale', asOf: '2026-11-22T09:00:15.000Z', ageSeconds: 585 });
    expect(stale).toHaveProperty('lastKnownAgents.length', 5);
    expect(stale).not.toHaveProperty('agents');
    expect(state).toMatchObject({ freshness: 'stale', lastKnownAgents: [{ agentId: 'asha' }] });
    expect(none).toEqual({ account: 'nobody', freshness: 'none' });
    expect((await at(['agents'], later)).output).toMatch(
      /^STALE: demo as last seen [\s\S]*asha +ready +\S+ +3h 00m 15s/,
    );
  });
});

describe('callfeed floor', () => {
  it('shows who was logged in at a past instant', async () => {
    const [past] = await json(['floor', '--at', '2026-11-21T11:30:10Z']);
    const [gap] = await json(['floor', '--at', '2026-11-21T12:00:00Z']);

    expect(past).toMatchObject({
      account: 'demo',
      at: '2026-11-21T11:30:10.000Z',
      since: '2026-11-21T11:30:00.000Z',
      freshness: 'live',
      agents: [{ agentId: 'asha', state: 'in-call' }, { agentId: 'asha#2' }, { agentId: 'omar' }, { agentId: 'ravi' }],
    });
    const lastKnownAgents = past?.['agents'];
    expect(gap).toMatchObject({ freshness: 'stale', asOf: '2026-11-21T11:30:00.000Z', lastKnownAgents });
    expect((await at(['floor', '--at', '2026-11-21T11:30:10Z'])).output).toMatch(/^demo at .*: 4 logged in[\s\S]* 10s/);
    expect((await at(['floor', '--at', '2026-11-21T12:00:00Z'])).output).toMatch(/^STALE: the feed was interrupted at/);
    const tableAt = async (instant: string) => (await at(['floor', '--at', instant])).output.split('\n').slice(1);
    // Nobody knows how long a state went on after the last poll.
    expect(await tableAt('2026-11-21T12:00:00Z')).toEqual(await tableAt('2026-11-21T11:30:00Z'));
    expect(await at(['floor', '--at', '2026-11-21T09:00:00Z'])).toMatchObject({
      code: 1,
      notes: 'No snapshot of demo is stored from 2026-11-21T09:00:00.000Z or before.\n',
    });
  });
});

describe('callfeed timeline', () => {
  it('adds up the states of a day', async () => {
    const { output } = await at(day);

    expect(output).toMatch(/^asha on 2026-11-21 \(Asia\/Kolkata\)\n/);
    expect(output).toMatch(/^in a call +7h 00m 00s +82 %\nready +1h 30m 00s +18 %\nlogged in +8h 30m 00s/m);
  });

  it('shows today in the account’s zone by default, and up to when it is known', async () => {
    const [today] = await json(['timeline', 'asha']);

    expect(today).toMatchObject({ day: '2026-11-22', timeZone: 'Asia/Kolkata', upTo: '2026-11-22T09:00:15.000Z' });
    expect(today).toMatchObject({ secondsByState: { ready: 10_815 } });
    expect((await at(['timeline', 'asha'])).output).toContain('known up to 2026-11-22T09:00:15.000Z\n');
    expect(await at(['timeline', 'asha', '--account', 'nobody'])).toMatchObject({ code: 2 });
  });

  it('knows a day up to the feed’s last poll, whoever was logged in and however late it is now', async () => {
    const nextDay = { clock: () => new Date('2026-11-23T09:00:00.000Z') };
    const firstLine = async (agent: string, of: string, replaced?: Partial<Context>) =>
      (await at(['timeline', agent, '--day', of], replaced)).output.replace(/^.*Kolkata\)[:,] /, '').split('\n')[0];
    const asOf = '2026-11-22T09:00:15.000Z';

    expect(await firstLine('nobody', '2026-11-21')).toBe('not logged in, or expired.');
    expect(await firstLine('nobody', 'today')).toBe(`known up to ${asOf}: not logged in, or expired.`);
    // Omar logged out on the day before and has no open interval.
    expect(await json(['timeline', 'omar', '--day', '2026-11-22'], nextDay)).toMatchObject([{ upTo: asOf }]);
    expect(await firstLine('omar', '2026-11-22', nextDay)).toBe(`known up to ${asOf}`);
    const unknown = /^known up to 2026-11-2\d\S+: not logged in, or expired\.$/;
    expect(await firstLine('asha', '2026-11-24', nextDay)).toMatch(unknown);
    expect(await firstLine('asha', 'today', nextDay)).toMatch(unknown);
    expect(await json(['timeline', 'asha', '--day', '2026-11-24'], nextDay)).toMatchObject([
      { upTo: '2026-11-23T18:30:00.000Z', intervals: [], secondsByState: {} },
    ]);
  });
});
