import { appendFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventLog, type Envelope } from '../../sandbox/bus/event-log.ts';
import { createClosers } from '../../sandbox/closers.ts';
import { createConsoleLog } from '../../sandbox/console-log.ts';
import { createCounters } from '../../sandbox/counters.ts';
import { dataFiles } from '../../sandbox/data-files.ts';
import { createFaultBoard } from '../../sandbox/faults.ts';
import { deployedDeadLetterSeconds, persistentQueue, startQueues } from '../../sandbox/queue/start-queues.ts';

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

  it('has the messages of every queue after a restart, except ticks, which are stale by then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
    const { parking, deadLetters, reconciliation, ticks } = await start(folder);
    for (const queue of [parking, deadLetters, reconciliation, ticks]) queue.send(`to ${queue.name}`, {}, 0);

    const after = await start(folder);

    for (const queue of [after.parking, after.deadLetters, after.reconciliation])
      expect(queue.messages()).toMatchObject([{ body: `to ${queue.name}` }]);
    expect(after.ticks.messages()).toEqual([]);
  });
});

const options = { name: 'parking', visibilityMilliseconds: 2_000 };

describe('persistentQueue', () => {
  it('has its messages after a restart, except those deleted', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = persistentQueue(options, file);
    before.send('a', {}, 0);
    before.remove(before.receive(1)[0]?.receipt ?? '');
    before.send('b', { kind: { DataType: 'String', StringValue: 'x' } }, 0);

    expect(persistentQueue(options, file).messages()).toEqual(before.messages());
    expect(before.messages()).toMatchObject([{ body: 'b' }]);
  });

  it('ignores an incomplete last line', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = persistentQueue(options, file);
    before.send('a', {}, 0);
    await appendFile(file, '{"put":{"id":"to');
    const after = persistentQueue(options, file);
    after.send('b', {}, 0);

    expect(persistentQueue(options, file).messages()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
  });

  it('names the file if it holds anything else', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    await writeFile(file, '{');

    expect(() => persistentQueue(options, file)).toThrow(file);
  });
});
