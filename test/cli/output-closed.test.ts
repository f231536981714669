import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type OutputProcess, outputClosed } from '../../cli/output-closed.ts';

const started = () => {
  const stdout = new EventEmitter();
  const exits: number[] = [];
  const process: OutputProcess = { stdout, exit: (code) => exits.push(code) };
  return { process, exits, closed: outputClosed(process), fail: (code: string) => stdout.emit('error', { code }) };
};

describe('an output that can be written no more', () => {
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
