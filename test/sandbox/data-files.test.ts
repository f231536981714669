import { appendFile, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventLog, type Envelope } from '../../sandbox/bus/event-log.ts';
import { persistentQueue } from '../../sandbox/queue/start-queues.ts';

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
  it('keeps each event as one line, oldest first', () => {
    const log = createEventLog();
    log.append([event('a'), event('b')]);
    log.append([event('c')]);

    expect(idsOf(log.lines())).toEqual(['a', 'b', 'c']);
    expect(log.lines().join('')).not.toContain('\n');
    expect(log.count()).toBe(3);
  });

  it('tells followers of new events until they leave', () => {
    const log = createEventLog();
    log.append([event('before')]);
    const followed: string[] = [];
    const leave = log.follow((line) => followed.push(line));
    log.append([event('a')]);
    leave();
    log.append([event('b')]);

    expect(idsOf(followed)).toEqual(['a']);
  });

  it('goes on from its file after a restart, without the line that was torn', async () => {
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

const options = { name: 'parking', visibilityMilliseconds: 2_000 };

describe('keptQueue', () => {
  it('has its messages after a restart, without those deleted', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = persistentQueue(options, file);
    before.send('a', {}, 0);
    before.remove(before.receive(1)[0]?.receipt ?? '');
    before.send('b', { kind: { DataType: 'String', StringValue: 'x' } }, 0);

    expect(persistentQueue(options, file).messages()).toEqual(before.messages());
    expect(before.messages()).toMatchObject([{ body: 'b' }]);
  });

  it('has them too where the machine stopped in the middle of a line', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = persistentQueue(options, file);
    before.send('a', {}, 0);
    await appendFile(file, '{"put":{"id":"to');
    const after = persistentQueue(options, file);
    after.send('b', {}, 0);

    expect(persistentQueue(options, file).messages()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
  });

  it('adds to its file instead of writing all of it again, and shortens it now and then', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const queue = persistentQueue(options, file);
    for (let count = 0; count < 100; count++) queue.send('x'.repeat(100), {}, 0);
    const { ino, size } = await stat(file);
    queue.send('a', {}, 0);
    const after = await stat(file);
    expect([after.ino, after.size - size < 300]).toEqual([ino, true]);

    for (let count = 0; count < 2_500; count++) {
      queue.remove(queue.receive(1)[0]?.receipt ?? '');
      queue.send('b', {}, 0);
    }
    expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThan(5_010);
    expect(persistentQueue(options, file).messages()).toEqual(queue.messages());
  });

  it('names the file when it holds something else', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    await writeFile(file, '{');

    expect(() => persistentQueue(options, file)).toThrow(file);
  });
});
