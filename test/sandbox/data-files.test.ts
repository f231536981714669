import { appendFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { createEventLog, type Envelope } from '../../sandbox/bus/event-log.ts';
import { createClosers } from '../../sandbox/closers.ts';
import { createConsoleLog } from '../../sandbox/console-log.ts';
import { createCounters } from '../../sandbox/counters.ts';
import { dataFiles } from '../../sandbox/data-files.ts';
import { createFaultBoard } from '../../sandbox/faults.ts';
import { deployedDeadLetterSeconds, startQueues } from '../../sandbox/queue/start-queues.ts';

const event = (id: string): Envelope => ({
  version: '0',
  id,
  'detail-type': 'Call Summary Recorded',
  source: 'callfeed',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'local',
  resources: [],
  detail: { text: 'two\nlines' },
});
const idsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id);

describe('createEventLog', () => {
  it('continues its file after a restart, without the incomplete last line', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'events.ndjson');
    createEventLog(file).append([event('a')]);
    await appendFile(file, '{"version":"0","id":"to');

    const log = createEventLog(file);
    log.append([event('b')]);

    expect(log.count()).toBe(2);
    expect(idsOf(log.lines())).toEqual(['a', 'b']);
    expect(idsOf(createEventLog(file).lines())).toEqual(['a', 'b']);
  });
});

describe('startQueues', () => {
  const start = async (folder: string) => {
    const closers = createClosers();
    onTestFinished(() => closers.closeAll());
    const monitors = { consoleLog: createConsoleLog(() => undefined), counters: createCounters() };
    return startQueues(dataFiles(folder), deployedDeadLetterSeconds, createFaultBoard(), monitors, closers);
  };

  it('has the messages of every queue after a restart but for those deleted, and ticks, which are stale by then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
    const { url: _, ticks, ...stored } = await start(folder);
    for (const queue of [ticks, ...Object.values(stored)]) {
      queue.send('deleted', {}, 0);
      queue.remove(queue.receive(1)[0]?.receipt ?? '');
      queue.send(`to ${queue.name}`, { kind: { DataType: 'String', StringValue: 'x' } }, 0);
    }
    const { url: __, ticks: ticksAfter, ...after } = await start(folder);

    expect(Object.entries(after).map(([name, queue]) => [name, queue.messages()])).toEqual(
      Object.entries(stored).map(([name, queue]) => [name, queue.messages()]),
    );
    expect(after.parking.messages()).toMatchObject([{ body: 'to callfeed-parking' }]);
    expect(ticksAfter.messages()).toEqual([]);
  });

  it('gives a failed tick or step of reconciliation again only when its function has certainly ended', async () => {
    const { ticks, reconciliation } = await start(await mkdtemp(join(tmpdir(), 'callfeed-')));

    expect(ticks.visibilityMilliseconds).toBe(timeoutSeconds['poll-agents'] * 1_000);
    expect(reconciliation.visibilityMilliseconds).toBe(timeoutSeconds['reconcile-calls'] * 1_000);
  });

  it('ignores an incomplete last line of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
    (await start(folder)).parking.send('a', {}, 0);
    await appendFile(join(folder, 'parking.json'), '{"put":{"id":"to');
    (await start(folder)).parking.send('b', {}, 0);

    expect((await start(folder)).parking.messages()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
  });

  it('names a file that holds anything else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
    await writeFile(join(folder, 'parking.json'), '{');

    await expect(start(folder)).rejects.toThrow(join(folder, 'parking.json'));
  });
});
