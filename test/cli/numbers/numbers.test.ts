import { describe, expect, it } from 'vitest';
import { walkCommands } from './commands/walk.ts';
import { meanwhile } from './meanwhile.ts';
import { withoutNumbers } from './plan.ts';
import { wrong } from './rules.ts';
import { walkConsole } from './walk.ts';

/** A day that is not over, two days after clocks were put back: a week before, they showed another time than UTC. */
const london = {
  timeZone: 'Europe/London',
  now: '2026-10-27T11:30:00.000Z',
  today: '2026-10-27',
  changeDay: '2026-10-25',
};
const walked = await walkConsole(london, { isWhole: false, turn: 0 });
const { addresses, centre } = walked;

describe('every number of the console', () => {
  it('is of an answer that is asked for, or that has none', () => {
    expect([...addresses, ...Object.keys(withoutNumbers)].toSorted()).toEqual(centre.addresses.toSorted());
  });

  it.each(addresses)('in %s is what is counted where it leads', async (address) => {
    const held = await walked.held(address);
    expect(wrong(held)).toEqual([]);
    expect(held.length).toBeGreaterThan(0);
  });

  it('has a rule, and no rule is of a number that is not there', async () => {
    for (const address of addresses) await walked.held(address);
    expect(walked.unusedRules()).toEqual([]);
  });

  it('opens a list with the calls that the command under it prints', async () => {
    for (const address of addresses) await walked.held(address);
    expect(await walked.besideCommands()).toEqual([]);
  });
});

describe('every number of the command line', () => {
  const { commands, held, unusedRules } = walkCommands(walked, walked.ids);

  it.each(commands)('in %s is what is counted where it leads', async (name) => {
    expect(wrong(await held(name))).toEqual([]);
  });

  it('has a rule, and no rule is of a number that is not there', async () => {
    for (const name of commands) await held(name);
    expect(unusedRules()).toEqual([]);
  });
});

it('numbers that were given before stay those of their lists, as the clock moves on and calls come', async () => {
  expect(await meanwhile({ ...london, now: '2026-10-27T11:30:07.000Z' })).toEqual([]);
});
