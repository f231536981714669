import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureFunctionOutput, type FunctionOutput } from '../../../sandbox/functions-host/function-output.ts';

let passed: string[];
let captured: [name: string, text: string][];
let output: FunctionOutput;
const original = process.stdout.write;

beforeEach(() => {
  passed = [];
  captured = [];
  process.stdout.write = ((text: string) => passed.push(text) > 0) as typeof process.stdout.write;
  output = captureFunctionOutput((name, text) => captured.push([name, text]));
});
afterEach(() => {
  output.release();
  process.stdout.write = original;
});

describe('captureFunctionOutput', () => {
  it('keeps what a function writes, at once or later, from the terminal', async () => {
    await output.during('receive-callback', async () => {
      process.stdout.write('at once\n');
      await nextTurn();
      process.stdout.write(new TextEncoder().encode('later\n'));
    });

    expect(passed).toEqual([]);
    expect(captured).toEqual([
      ['receive-callback', 'at once\n'],
      ['receive-callback', 'later\n'],
    ]);
  });

  it('lets what others write pass, even while a function runs', async () => {
    const running = output.during('publish-changes', () => nextTurn());
    process.stdout.write('the sandbox\n');
    await running;

    expect(passed).toEqual(['the sandbox\n']);
    expect(captured).toEqual([]);
  });

  it('lets pass what is printed of it', () => {
    output.release();
    output = captureFunctionOutput((name, text) => process.stdout.write(`${name}: ${text}`));
    output.during('receive-callback', () => process.stdout.write('a line\n'));

    expect(passed).toEqual(['receive-callback: a line\n']);
  });

  it('calls back a function that waits for its write', async () => {
    const written = Promise.withResolvers<void>();
    output.during('receive-callback', () => process.stdout.write('a line\n', () => written.resolve()));

    await expect(written.promise).resolves.toBeUndefined();
  });

  it('lets everything pass once released', () => {
    output.release();
    output.during('receive-callback', () => process.stdout.write('free\n'));

    expect(passed).toEqual(['free\n']);
  });
});
