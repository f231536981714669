import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruption } from '../../cli/interruption.ts';

const started = (mayBeLeft?: () => readonly string[]) => {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const written: string[] = [];
  const signal = interruption({
    on: (name, listener) => signals.on(name, listener),
    stderr: { write: (text) => written.push(text) },
    exit: (code) => exits.push(code),
  })(mayBeLeft);
  return { signal, exits, written, send: (name: string) => signals.emit(name) };
};

describe('a command that puts away what it made', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('is told by the first %s, and ended by the second one', (name, code) => {
    const { signal, exits, written, send } = started();

    expect(signal.aborted).toBe(false);
    send(name);
    expect([signal.aborted, exits]).toEqual([true, []]);
    send(name);
    expect([exits, written]).toEqual([[code], []]);
  });

  it('says what may be left when it is ended before that is away', () => {
    const left = ['queue q', 'rule r'];
    const { written, send } = started(() => left);
    send('SIGHUP');
    left.pop();
    send('SIGINT');

    expect(written).toEqual(['Ended at once; this may be left: queue q.\n']);
  });
});
