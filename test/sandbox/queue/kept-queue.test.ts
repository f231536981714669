import { mkdtemp, writeFile } from 'node:fs/promises';
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

  it('names the file when it holds something else', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'parking.json');
    await writeFile(file, '{');

    expect(() => keptQueue(options, file)).toThrow(file);
  });
});
