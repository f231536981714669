import { describe, expect, it } from 'vitest';
import { formatFrom, usage } from '../../../bench/costs/options.ts';

describe('the flags', () => {
  it.each([
    [[], 'plain'],
    [['--markdown'], 'markdown'],
    [['--json'], 'json'],
    [['--json', '--help'], 'help'],
  ] as const)('%j ask for the format %s', (args, format) => {
    expect(formatFrom(args)).toEqual({ ok: true, value: format });
  });

  it.each([
    [['--json', '--markdown'], 'Either --markdown or --json.'],
    [['--csv'], "Unknown option '--csv'."],
    [['large'], "Unexpected argument 'large'."],
  ] as const)('%j are answered with what is allowed', (args, reason) => {
    expect(formatFrom(args)).toEqual({ ok: false, problem: `${reason}\n\n${usage}` });
  });
});
