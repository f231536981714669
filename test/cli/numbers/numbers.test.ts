import { describe, expect, it } from 'vitest';
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

describe('every number of the console', async () => {
  const walked = await walkConsole(london, false);
  const { addresses, centre } = walked;

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
