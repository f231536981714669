import { describe, expect, it } from 'vitest';
import { readAgents } from '../../../lib/agents/poll-context.ts';
import { manyAgents, pollRun, slotMs, success, threeAgents } from '../../support/agent-polling.ts';

const abort = (): never => {
  throw new Error('aborted');
};

/** Aborts the run at the n-th call of an operation. */
const abortAt = (operation: string, nth: number) => {
  let left = nth;
  return { onCall: (called: string) => void (called === operation && --left === 0 && abort()) };
};

describe('after an aborted run', () => {
  it('the rate limit still counts its request', async () => {
    const { poll, feed, service, advance } = pollRun({ logins: [abort, threeAgents] });
    await expect(poll()).rejects.toThrow('aborted');
    expect(feed()).toMatchObject({ poller: { inFlight: true } });

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ status: 'live', poller: { inFlight: false } });
    expect(Object(feed()?.['poller'])['requests']).toHaveLength(2);
  });

  it('its poll counts as failed, and no event follows if the next poll is answered', async () => {
    const { poll, feed, advance, telemetry, feedEvents } = pollRun({ logins: [threeAgents, abort, threeAgents] });
    await poll();
    advance(slotMs);
    await expect(poll()).rejects.toThrow('aborted');
    advance(slotMs);
    await poll();

    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSucceeded: 2 });
    expect(feed()).toMatchObject({
      status: 'live',
      lastProblem: { reason: 'aborted', at: '2026-11-20T06:00:31.000Z' },
    });
    expect(feedEvents()).toEqual([]);
  });

  it.each([
    ['deleted', 1, [threeAgents, success([])], ['2026-11-20T06:00:16.000Z']],
    [
      'deleted, and the committed ones stay',
      2,
      [threeAgents, manyAgents(2), threeAgents],
      ['2026-11-20T06:00:01.000Z'],
    ],
  ])('its uncommitted snapshot is %s', async (_title, nth, logins, left) => {
    const { poll, advance, snapshots } = pollRun({ logins, ...abortAt('after put', nth) });
    for (let slot = 1; slot < nth; slot++) {
      await poll();
      advance(slotMs);
    }
    await expect(poll()).rejects.toThrow('aborted');
    expect(snapshots()).toHaveLength(nth);

    advance(slotMs);
    await poll();
    expect(snapshots().map(({ at }) => at)).toEqual(left);
  });

  it('the next run writes the rest as it would have been, without another snapshot', async () => {
    const complete = pollRun({ logins: [manyAgents(300)] });
    await complete.poll();
    const abortHalf = abortAt('before write', 4);
    let puts = 0;
    const half = pollRun({
      logins: [manyAgents(300)],
      onCall(operation) {
        if (operation === 'before put') puts += 1;
        abortHalf.onCall(operation);
      },
    });
    await expect(half.poll()).rejects.toThrow('aborted');
    expect(half.rows('agent').length).toBeLessThan(300);
    half.advance(slotMs);
    await half.poll();

    const agentsOf = ({ rows }: typeof half) => rows('agent').map(({ recordedAt: _recorded, ...row }) => row);
    expect(agentsOf(half)).toEqual(agentsOf(complete));
    expect(half.rows('interval')).toEqual(complete.rows('interval'));
    expect(half.snapshots()).toEqual(complete.snapshots());
    expect(puts).toBe(1);
    expect(half.events()).toHaveLength(300);
    expect(half.feed()).toMatchObject({ asOf: '2026-11-20T06:00:16.000Z', agentCount: 300 });
    // The poll was answered, so it has not failed.
    expect(half.telemetry.counts).not.toHaveProperty('PollsFailed');
    expect(half.feed()).not.toHaveProperty('lastProblem');
  });

  it('its rest is written even in a slot in which nothing may be sent', async () => {
    const { poll, advance, feed, service, table } = pollRun({
      logins: [manyAgents(300)],
      ...abortAt('before write', 4),
    });
    await expect(poll()).rejects.toThrow('aborted');
    await poll();
    expect(feed()).toMatchObject({ status: 'starting' });

    const { poller, version, ...row } = feed() as never as { poller: object; version: number; pk: string; sk: string };
    const requests = Array(5).fill(Date.parse('2026-11-20T06:00:16.000Z'));
    await table.write({ ...row, version: version + 1, poller: { ...poller, requests } });
    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(1);
    expect(feed()).toMatchObject({ status: 'live', agentCount: 300 });
  });
});

describe('a run that overlaps with the next slot’s', () => {
  /** Two runs. At the n-th call of an operation of the first one the next slot begins, and the second one polls. */
  const overlapping = (operation: string, nth: number, logins: Parameters<typeof pollRun>[0]['logins']) => {
    let left = nth;
    const setting = pollRun({
      start: '2026-11-20T06:00:10.000Z',
      logins: logins ?? [],
      async onCall(called) {
        if (called !== operation || --left !== 0) return;
        // Soon enough for the first run to go on.
        setting.advance(6_000);
        await setting.poll(setting.instance());
      },
    });
    return setting;
  };

  const snapshotsOf = async ({ run, snapshots }: ReturnType<typeof pollRun>) => {
    const { feed } = await readAgents(run, 'demo');
    return { last: feed.poller.snapshotAt, saved: snapshots().map(({ at }) => at) };
  };

  it.each([
    ['after its snapshot is saved and before it is committed', 'after put', 1],
    ['before its snapshot is saved', 'before put', 1],
    ['just after it has acquired its slot', 'after write', 1],
    ['just before it learns that its snapshot is committed', 'after write', 2],
  ])('leaves the snapshot that was committed last, and no other: %s', async (_title, operation, nth) => {
    const setting = overlapping(operation, nth, [threeAgents, manyAgents(2)]);
    await setting.poll();
    const { last, saved } = await snapshotsOf(setting);
    const beginnings = setting.rows('interval').map(({ from }) => from);

    expect(saved).toContain(last);
    expect(saved).toEqual([...new Set(saved)].sort());
    expect(setting.ids()).not.toEqual([]);
    for (const at of saved) expect(beginnings).toContain(at);
  });

  it('leaves a committed snapshot, though the next run has finished it and gone on', async () => {
    const setting = overlapping('after write', 2, [manyAgents(300), manyAgents(299)]);
    await setting.poll();

    expect(await snapshotsOf(setting)).toEqual({
      last: '2026-11-20T06:00:16.000Z',
      saved: ['2026-11-20T06:00:10.000Z', '2026-11-20T06:00:16.000Z'],
    });
    expect(setting.rows('agent')).toHaveLength(299);
    expect(setting.events()).toHaveLength(301);
  });
});
