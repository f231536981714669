import { describe, expect, it } from 'vitest';
import { createSteps } from '../../../e2e/runner/steps.ts';

const recorded = (patience?: number) => {
  const lines: string[] = [];
  const stopping = new AbortController();
  let milliseconds = 0;
  const step = createSteps({
    print: (line) => lines.push(line),
    now: () => milliseconds,
    stopped: stopping.signal,
    ...(patience !== undefined && { patience }),
  });
  const pass = (seconds: number): void => {
    milliseconds += 1000 * seconds;
  };

  return { lines, step, pass, stop: () => stopping.abort() };
};

describe('a step', () => {
  it('is numbered and timed, and hands on what it came to', async () => {
    const { lines, step, pass } = recorded();

    const first = await step('Begin', async () => pass(1.25));
    const second = await step('Go on', async () => 'value');

    expect([first, second]).toEqual([undefined, 'value']);
    expect(lines).toEqual([' 1  Begin (1.3 s)', ' 2  Go on (0.0 s)']);
  });

  it('that fails says so, and lets the failure pass', async () => {
    const { lines, step } = recorded();
    const failing = step('Break', async () => {
      throw new Error('broken');
    });

    await expect(failing).rejects.toThrow('broken');
    expect(lines).toEqual([' 1  Break FAILED (0.0 s)']);
  });

  it('that takes long says what it is doing', async () => {
    const { lines, step } = recorded(1);

    await step('Wait', async (tell) => {
      tell('looking');
      await expect.poll(() => lines).toContain('    Wait ... 0.0 s: looking');
    });

    expect(lines.at(-1)).toBe(' 1  Wait (0.0 s)');
  });

  it('neither begins nor prints once all is stopped', async () => {
    const { lines, step, stop } = recorded();
    await step('Be stopped', async () => stop());

    await expect(step('Begin', async () => 'begun')).rejects.toThrow();
    expect(lines).toEqual([]);
  });
});
