import { describe, expect, it } from 'vitest';
import { manyAgents, pollRun, slotMs, success, threeAgents } from '../../support/agent-polling.ts';

describe('agents of whom not all are written yet', () => {
  /** Three hundred agents. The run that writes them is aborted in the middle. */
  const abortedInTheMiddle = async (logins = [manyAgents(300), manyAgents(300, 'ACW')]) => {
    let writes = 0;
    const slow = { fromWrite: Number.POSITIVE_INFINITY };
    const setting = pollRun({
      logins,
      onCall(operation) {
        if (operation === 'before write' && ++writes === 4) throw new Error('aborted');
        if (operation === 'after write' && writes >= slow.fromWrite) setting.advance(9_001);
      },
    });
    await expect(setting.poll()).rejects.toThrow('aborted');
    return { ...setting, slow };
  };

  it('are published once, whatever the next answer has', async () => {
    const { poll, advance, events, feed } = await abortedInTheMiddle();
    advance(slotMs);
    await poll();

    expect(feed()).toMatchObject({ counts: { acw: 300 } });
    expect(events().map(({ type }) => type)).toEqual([
      ...Array(300).fill('Agent Logged In'),
      ...Array(300).fill('Agent State Changed'),
    ]);
  });

  it('are dropped where the snapshot has expired: the next answer is compared with the rows as they are', async () => {
    const { poll, advance, rows, snapshots, table, feed, events } = await abortedInTheMiddle();
    const before = rows('agent').length;
    await table.remove(snapshots() as never);
    advance(8 * 86_400_000);
    await poll();

    expect(before).toBeGreaterThan(0);
    expect(feed()).toMatchObject({ agentCount: 300, counts: { acw: 300 }, status: 'live' });
    expect(feed()?.['poller']).not.toHaveProperty('pendingAt');
    const types = Map.groupBy(events(), ({ type }) => type);
    expect(types.get('Agent Logged In')).toHaveLength(300);
    expect(types.get('Agent State Changed')).toHaveLength(before);
  });

  it('are no aborted run any more once a run has gone on with them, though it takes more runs to finish', async () => {
    const { poll, advance, feed, slow } = await abortedInTheMiddle();
    slow.fromWrite = 5;
    advance(slotMs);
    await poll();

    expect(feed()).toMatchObject({ poller: { pendingAt: '2026-11-20T06:00:01.000Z', inFlight: false } });
  });

  it('are left to the next runs where a run has no time left', async () => {
    let writes = 0;
    const setting = pollRun({
      logins: [manyAgents(300)],
      onCall(operation) {
        // Each write takes longer than a run may go on.
        if (operation === 'after write' && ++writes > 1) setting.advance(9_001);
      },
    });
    await setting.poll();
    expect(setting.feed()).toMatchObject({ status: 'starting', poller: { pendingAt: '2026-11-20T06:00:01.000Z' } });
    for (let run = 0; run < 20 && setting.service.requests.length < 2; run++) {
      setting.advance(slotMs);
      await setting.poll();
    }

    expect(setting.telemetry.counts).toMatchObject({ AgentsChanged: 300 });
    // The last agent is written more than 45 seconds after the poll, which is an interruption of its own.
    expect(setting.events().map(({ type }) => type)).toEqual([
      ...Array(300).fill('Agent Logged In'),
      'Agent Feed Interrupted',
      'Agent Feed Restored',
    ]);
    expect(setting.snapshots().map(({ at, status }) => [at, status])).toEqual([
      ['2026-11-20T06:00:01.000Z', 'live'],
      ['2026-11-20T06:00:31.001Z', 'interrupted'],
      [setting.feed()?.['asOf'], 'live'],
    ]);
    expect(setting.feed()).toMatchObject({ status: 'live', agentCount: 300 });
  });
});

describe('the rows of agents who have logged out', () => {
  /** Three hundred agents who log out at once. */
  const loggingOut = (onWrite: (write: number) => void = () => undefined) => {
    let writes = 0;
    const setting = pollRun({
      logins: [manyAgents(300), success([])],
      onCall: (operation) => {
        if (operation === 'before write') onWrite(++writes);
      },
    });
    return { ...setting, writes: () => writes };
  };

  it('are removed in few writes, and the next poll writes nothing but the feed’s row', async () => {
    const { poll, advance, writes, ids, table } = loggingOut();
    await poll();
    advance(slotMs);
    const before = writes();
    await poll();

    // One for the slot, seven for 49 agents of two rows each, and four for 98 removals each.
    expect(writes() - before).toBe(1 + 7 + 4);
    expect(ids()).toEqual([]);

    const { length } = table.changes();
    advance(slotMs);
    await poll();
    const kinds = table.changes().map(({ after }) => after?.['kind']);
    expect(kinds.slice(length)).toEqual(['feed', 'feed']);
  });

  it('are removed with the rest that an aborted run has left', async () => {
    const { poll, advance, ids, events, rows } = loggingOut((write) => {
      if (write === 14) throw new Error('aborted');
    });
    await poll();
    advance(slotMs);
    await expect(poll()).rejects.toThrow('aborted');
    expect(rows('agent').filter(({ state }) => state === 'logged-out')).toHaveLength(196);

    advance(slotMs);
    await poll();
    expect(ids()).toEqual([]);
    expect(events().filter(({ type }) => type === 'Agent Logged Out')).toHaveLength(300);
  });

  it('stay until every change of their poll is written', async () => {
    let slowFrom = Number.POSITIVE_INFINITY;
    const { poll, advance, rows, writes, feed } = loggingOut((write) => {
      if (write > slowFrom) advance(9_001);
    });
    await poll();
    advance(slotMs);
    const before = writes();
    slowFrom = before + 1;
    await poll();

    expect(writes() - before).toBe(2);
    expect(feed()).toMatchObject({ poller: { pendingAt: '2026-11-20T06:00:16.000Z' } });
    expect(rows('agent')).toHaveLength(300);
  });

  it('are removed by another run that writes the feed in between', async () => {
    let writes = 0;
    const setting = pollRun({
      logins: [threeAgents, success([])],
      async onCall(operation) {
        // The third and fourth write are the second poll's slot and change.
        if (operation !== 'before write' || ++writes !== 5) return;
        expect(setting.rows('agent').map(({ state }) => state)).toEqual(Array(3).fill('logged-out'));
        setting.advance(slotMs);
        await setting.poll(setting.instance());
      },
    });
    await setting.poll();
    setting.advance(slotMs);

    expect(await setting.poll()).toBeUndefined();
    expect(setting.ids()).toEqual([]);
    expect(setting.events()).toHaveLength(6);
    expect(setting.feed()).toMatchObject({ asOf: '2026-11-20T06:00:31.000Z', agentCount: 0 });
  });
});
