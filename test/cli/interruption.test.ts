import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruption, type OutputProcess, outputClosed } from '../../cli/interruption.ts';

describe('a command that puts away what it made', () => {
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

describe('an output that can be written no more', () => {
  const started = () => {
    const stdout = new EventEmitter();
    const exits: number[] = [];
    const process: OutputProcess = { stdout, exit: (code) => exits.push(code) };
    return { process, exits, closed: outputClosed(process), fail: (code: string) => stdout.emit('error', { code }) };
  };

  it.each([
    ['nobody reads it', 'EPIPE', 141],
    ['the disk is full', 'ENOSPC', 1],
  ])('ends the process at once when %s', (_title, error, code) => {
    const { exits, fail } = started();
    fail(error);

    expect(exits).toEqual([code]);
  });

  it('lets a command that asked for it put away what it made, and keeps the first exit code', () => {
    const { process, exits, closed, fail } = started();
    const signal = closed();
    fail('EPIPE');
    fail('ERR_STREAM_DESTROYED');

    expect(signal.aborted).toBe(true);
    expect([exits, process.exitCode]).toEqual([[], 141]);
  });
});
