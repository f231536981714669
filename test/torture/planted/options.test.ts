import { describe, expect, it } from 'vitest';
import { defaultSeed } from '../../../torture/options.ts';
import { optionsFrom, usageOf } from '../../../torture/planted/options.ts';
import { plantedFaults } from '../../../torture/planted/planted-faults.ts';

const [first] = plantedFaults;

describe('the command line of the planted faults', () => {
  it.each([
    { args: [], value: { faults: plantedFaults, seed: defaultSeed, isMarkdown: false } },
    { args: [first?.name ?? ''], value: { faults: [first], seed: defaultSeed, isMarkdown: false } },
    { args: ['--seed', '7', '--markdown'], value: { faults: plantedFaults, seed: 7, isMarkdown: true } },
    { args: ['--help'], value: 'help' },
  ])('takes $args', ({ args, value }) => {
    expect(optionsFrom(args, plantedFaults)).toEqual({ ok: true, value });
  });

  it.each([
    { args: ['nothing'], problem: 'There is no planted fault “nothing”.' },
    { args: ['--seed', 'abc'], problem: '--seed takes a whole number from 0 to 999999999.' },
    { args: ['--fast'], problem: expect.stringContaining("Unknown option '--fast'") },
  ])('says what is wrong with $args', ({ args, problem }) => {
    expect(optionsFrom(args, plantedFaults)).toEqual({ ok: false, problem });
  });

  it('names every fault in its help', () => {
    for (const { name } of plantedFaults) expect(usageOf(plantedFaults)).toContain(name);
  });
});
