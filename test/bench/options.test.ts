import { describe, expect, it } from 'vitest';
import { optionsFrom, usageOf } from '../../bench/options.ts';
import { parts } from '../../bench/parts.ts';

const names = parts.map(({ name }) => name);
const asked = { parts: [], repetitions: 15, json: '.callfeed/bench.json', markdown: false };

describe('the command line of the benchmark', () => {
  it.each([
    [[], asked],
    [['start', 'work'], { ...asked, parts: ['start', 'work'] }],
    [
      ['--repetitions', '3', '--json', 'x.json', '--markdown'],
      { parts: [], repetitions: 3, json: 'x.json', markdown: true },
    ],
    [['--repetitions', '1000'], { ...asked, repetitions: 1_000 }],
    [['start', '--help'], 'help'],
  ])('%j asks for %j', (args, value) => {
    expect(optionsFrom(args, names)).toEqual({ ok: true, value });
  });

  it.each([
    [['speed'], `There is no part “speed”. There is: ${names.join(', ')}.`],
    [['--repetitions', '0'], '--repetitions takes a whole number from 1 to 1000.'],
    [['--repetitions', '1001'], '--repetitions takes a whole number from 1 to 1000.'],
    [['--repetitions', 'many'], '--repetitions takes a whole number from 1 to 1000.'],
    [['--json', ''], '--json takes the name of a file.'],
    [['--csv'], "Unknown option '--csv'."],
  ])('%j is answered with what is wrong', (args, problem) => {
    expect(optionsFrom(args, names)).toEqual({ ok: false, problem });
  });

  it.each(parts)('explains the part $name', ({ name, what }) => {
    expect(usageOf(parts)).toContain(`${name.padEnd(12)} ${what}`);
  });
});
