import { describe, expect, it } from 'vitest';
import { wrong } from './rules.ts';
import { walkConsole } from './walk.ts';

/** Zones whose hours do not begin with those of UTC, west of it, and with clocks that move by half an hour; in winter and in summer. */
const centres = {
  'in London after clocks went back': {
    timeZone: 'Europe/London',
    now: '2026-10-27T11:30:00.000Z',
    today: '2026-10-27',
    changeDay: '2026-10-25',
  },
  'in Kolkata': { timeZone: 'Asia/Kolkata', now: '2026-11-20T06:30:00.000Z', today: '2026-11-20' },
  'in New York after clocks went forward': {
    timeZone: 'America/New_York',
    now: '2026-03-10T16:30:00.000Z',
    today: '2026-03-10',
    changeDay: '2026-03-08',
  },
  'on Lord Howe Island, by half an hour': {
    timeZone: 'Australia/Lord_Howe',
    now: '2026-10-06T01:30:00.000Z',
    today: '2026-10-06',
    changeDay: '2026-10-04',
  },
};

describe.each(Object.entries(centres).map(([title, time], turn) => ({ title, time, turn })))(
  'every number of the console $title',
  async ({ time, turn }) => {
    const walked = await walkConsole(time, { isWhole: true, turn });

    it.each(walked.addresses)('in %s is what is counted where it leads', async (address) => {
      expect(wrong(await walked.held(address))).toEqual([]);
    });

    it('opens a list with the calls that the command under it prints', async () => {
      for (const address of walked.addresses) await walked.held(address);
      expect(await walked.besideCommands()).toEqual([]);
    });
  },
);
