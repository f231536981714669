import { appendFile, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keptQueue } from '../../../sandbox/queue/kept-queue.ts';

const options = { name: 'parking', visibilityMilliseconds: 2_000 };

describe('keptQueue', () => {
  it('has its messages after a restart, without those deleted', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = keptQueue(options, file);
    before.send('a', {}, 0);
    before.remove(before.receive(1)[0]?.receipt ?? '');
    before.send('b', { kind: { DataType: 'String', StringValue: 'x' } }, 0);

    expect(keptQueue(options, file).messages()).toEqual(before.messages());
    expect(before.messages()).toMatchObject([{ body: 'b' }]);
  });

  it('has them too where the machine stopped in the middle of a line', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const before = keptQueue(options, file);
    before.send('a', {}, 0);
    await appendFile(file, '{"put":{"id":"to');
    const after = keptQueue(options, file);
    after.send('b', {}, 0);

    expect(keptQueue(options, file).messages()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
  });

  it('adds to its file instead of writing all of it again, and shortens it now and then', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    const queue = keptQueue(options, file);
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
    expect(keptQueue(options, file).messages()).toEqual(queue.messages());
  });

  it('names the file when it holds something else', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    await writeFile(file, '{');

    expect(() => keptQueue(options, file)).toThrow(file);
  });
});
