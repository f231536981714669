import { describe, expect, it } from 'vitest';
import { defaultSeed, optionsFrom, usageOf } from '../../torture/options.ts';

const known = ['crash', 'hostile'];
const all = { parts: [], size: 'full', seed: defaultSeed, format: 'plain' };

describe('the command line of the torture', () => {
  it.each([
    { args: [], options: all },
    { args: ['--quick'], options: { ...all, size: 'quick' } },
    { args: ['hostile', 'crash', '--seed', '7'], options: { ...all, parts: ['hostile', 'crash'], seed: 7 } },
    { args: ['--json'], options: { ...all, format: 'json' } },
    { args: ['--markdown'], options: { ...all, format: 'markdown' } },
    { args: ['--help', '--quick'], options: 'help' },
  ])('takes $args', ({ args, options }) => {
    expect(optionsFrom(args, known)).toEqual({ ok: true, value: options });
  });

  it.each([
    { args: ['crush'], problem: 'There is no part “crush”. There is: crash, hostile.' },
    { args: ['--seed', '-1'], problem: expect.stringContaining('--seed') },
    { args: ['--seed', 'seven'], problem: '--seed takes a whole number from 0 to 999999999.' },
    { args: ['--json', '--markdown'], problem: 'Either --markdown or --json.' },
    { args: ['--fast'], problem: expect.stringContaining("Unknown option '--fast'") },
  ])('says what is wrong with $args', ({ args, problem }) => {
    expect(optionsFrom(args, known)).toEqual({ ok: false, problem });
  });

  it('names every part in its help', () => {
    const usage = usageOf([{ name: 'crash', what: 'cuts the process' }]);
    expect(usage).toContain('crash        cuts the process');
    expect(usage).toContain(String(defaultSeed));
  });
});
