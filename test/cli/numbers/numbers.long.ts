import { describe, expect, it } from 'vitest';
import { walkCommands } from './commands/walk.ts';
import { meanwhile } from './meanwhile.ts';
import { wrong } from './rules.ts';
import { walkConsole } from './walk.ts';

/*
 * The walk of `numbers.test.ts` where days begin and change otherwise: by less than an hour, at midnight, with clocks put forward,
 * far from UTC. `FAULTS=full` asks every question and opens every number, which takes a minute and a half of a processor.
 */

const isWhole = process.env['FAULTS'] === 'full';

const zones = [
  { timeZone: 'America/St_Johns', now: '2026-03-10T18:20:11.000Z', today: '2026-03-10', changeDay: '2026-03-08' },
  { timeZone: 'Australia/Lord_Howe', now: '2026-10-06T04:40:00.000Z', today: '2026-10-06', changeDay: '2026-10-04' },
  { timeZone: 'America/Havana', now: '2026-11-03T20:05:00.000Z', today: '2026-11-03', changeDay: '2026-11-01' },
  { timeZone: 'Pacific/Kiritimati', now: '2026-11-19T22:10:00.000Z', today: '2026-11-20' },
];

describe.each(zones)('in $timeZone', (time) => {
  it('every number of the console and of the command line is what is counted where it leads', async () => {
    const walked = await walkConsole(time, { isWhole, turn: zones.indexOf(time) });
    for (const address of walked.addresses) expect(wrong(await walked.held(address))).toEqual([]);
    expect(await walked.besideCommands()).toEqual([]);
    const { commands, held } = walkCommands(walked, walked.ids);
    for (const name of commands) expect(wrong(await held(name))).toEqual([]);
  });

  it('a number that was given before stays that of its list, as the clock moves on and calls come', async () => {
    expect(await meanwhile(time)).toEqual([]);
  });
});
