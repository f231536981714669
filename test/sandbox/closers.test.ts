import { describe, expect, it } from 'vitest';
import { createClosers } from '../../sandbox/closers.ts';

describe('createClosers', () => {
  it('ends the last first, each once', async () => {
    const ended: string[] = [];
    const closers = createClosers();
    for (const name of ['a', 'b']) closers.add(async () => void ended.push(name));
    await closers.closeAll();
    await closers.closeAll();

    expect(ended).toEqual(['b', 'a']);
  });

  it('ends the rest when one fails to end, and then says so', async () => {
    const ended: string[] = [];
    const closers = createClosers();
    closers.add(() => void ended.push('a'));
    closers.add(() => Promise.reject(new Error('stuck')));

    await expect(closers.closeAll()).rejects.toMatchObject({ cause: new Error('stuck') });
    expect(ended).toEqual(['a']);
  });

  it('does not wait for ever', async () => {
    const ended: string[] = [];
    const closers = createClosers(10);
    closers.add(() => void ended.push('a'));
    closers.add(() => new Promise(() => undefined));

    await expect(closers.closeAll()).rejects.toMatchObject({ cause: new Error('Not stopped within 10 ms') });
    expect(ended).toEqual(['a']);
  });
});
