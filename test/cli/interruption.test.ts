import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { interruption, type OutputProcess, outputClosed } from '../../cli/output/terminal.ts';

afterEach(() => vi.useRealTimers());

describe('interruption', () => {
  const started = (leftovers?: () => readonly string[]) => {
    const signals = new EventEmitter();
    const exits: number[] = [];
    const written: string[] = [];
    const signal = interruption({
      on: (name, listener) => signals.on(name, listener),
      stderr: { write: (text) => written.push(text) },
      exit: (code) => exits.push(code),
    })(leftovers);
    return { signal, exits, written, send: (name: string) => signals.emit(name) };
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('aborts at the first %s, and ends the process at the second', (name, code) => {
    const { signal, exits, written, send } = started();

    expect(signal.aborted).toBe(false);
    send(name);
    expect([signal.aborted, exits]).toEqual([true, []]);
    send(name);
    expect([exits, written]).toEqual([[code], []]);
  });

  it('says within half a second that a command stops, if it still runs', () => {
    vi.useFakeTimers();
    const { written, exits, send } = started();
    send('SIGINT');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(500);

    expect([written, exits]).toEqual([['Stopping. A second signal ends the command at once.\n'], []]);
  });

  it('ends a command that waits for an answer two seconds after the first signal, but none that has leftovers', () => {
    vi.useFakeTimers();
    const waiting = [started(), started(() => [])];
    const tidying = started(() => ['queue q']);
    for (const { send } of [...waiting, tidying]) send('SIGTERM');
    vi.advanceTimersByTime(1_999);
    expect(waiting.flatMap(({ exits }) => exits)).toEqual([]);
    vi.advanceTimersByTime(60_000);

    expect([...waiting, tidying].map(({ exits }) => exits)).toEqual([[143], [143], []]);
    for (const { written } of waiting) expect(written[1]).toMatch(/did not answer/);
    expect(tidying.written[1]).toBe('Still deleting: queue q.\n');
  });

  it('prints the leftovers when the second signal comes before they are deleted', () => {
    const leftovers = ['queue q', 'rule r'];
    const { written, send } = started(() => leftovers);
    send('SIGHUP');
    leftovers.pop();
    send('SIGINT');

    expect(written).toEqual(['Ended at once. These may still exist: queue q.\n']);
  });
});

describe('outputClosed', () => {
  const started = () => {
    const stdout = new EventEmitter();
    const exits: number[] = [];
    const process: OutputProcess = { stdout, exit: (code) => exits.push(code) };
    return { process, exits, closed: outputClosed(process), fail: (code: string) => stdout.emit('error', { code }) };
  };

  it.each([
    ['the reader has closed the output', 'EPIPE', 141],
    ['the disk is full', 'ENOSPC', 1],
  ])('ends the process at once when %s', (_title, error, code) => {
    const { exits, fail } = started();
    fail(error);

    expect(exits).toEqual([code]);
  });

  it('aborts the signal that a command asked for, and keeps the first exit code', () => {
    const { process, exits, closed, fail } = started();
    const signal = closed();
    fail('EPIPE');
    fail('ERR_STREAM_DESTROYED');

    expect(signal.aborted).toBe(true);
    expect([exits, process.exitCode]).toEqual([[], 141]);
  });
});
