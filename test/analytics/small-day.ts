import { temporaryFolder } from '../support/temporary-folder.ts';
import { askViews, callEvent, intervalEvent, writeEvents } from './simulated-day.ts';

const inbound = { type: 'inbound', timeZone: 'Asia/Kolkata', skillName: 'Sales', campaignName: 'Winter' };
const answered = { ...inbound, status: 'answered' };
const missed = { ...inbound, status: 'not-answered', hangupBy: 'user' };
const onlyAsha = { agentIds: ['asha'] };
const both = { agentIds: ['asha', 'ravi'] };

const at = (time: string, date = '2026-11-20') => `${date}T${time}.000Z`;
const from = (start: string, end?: string) => ({ startedAt: at(start), endedAt: end && at(end) });

/** The durations of an answered call. */
const took = (timeToAnswerSeconds: number, durationSeconds: number, holdSeconds: number, wrapUpSeconds: number) => ({
  timeToAnswerSeconds,
  durationSeconds,
  holdSeconds,
  wrapUpSeconds,
});
const leg = (ucid: string, more: object) => ({ ucid, timeZone: 'Asia/Kolkata', ...more });

const first = { ...answered, ...took(20, 100, 10, 20), ...both };
const inKolkata = [
  // Two agents share it. The revision brought its end and what the agents set.
  callEvent('1', 1, { ...first, ...from('10:00:00') }, { recordedAt: at('10:07:00') }),
  callEvent(
    '1',
    2,
    { ...first, ...from('10:00:00', '10:02:00'), dispositions: ['Sale', 'Callback'] },
    { recordedAt: at('13:00:00') },
  ),
  // Without a type. The customer hung up at once, and later not quite at once.
  callEvent('2', 1, { ...missed, type: undefined, agentIds: ['ravi'], ...from('10:20:00'), elapsedSeconds: 9.999 }),
  callEvent('3', 1, { ...missed, type: undefined, ...from('10:25:00'), elapsedSeconds: 10, linkedCallId: '5' }),
  // No agent and no campaign: lost in the menu.
  callEvent('4', 1, {
    ...missed,
    skillName: 'Support',
    campaignName: undefined,
    ...from('10:50:00'),
    elapsedSeconds: 60,
  }),
  // On the next day of the account, recorded an hour after its end: the transfer of the first.
  callEvent(
    '5',
    1,
    {
      ...answered,
      ...took(60, 60, 0, 30),
      skillName: 'Support',
      ...onlyAsha,
      ...from('18:40:00', '18:42:00'),
      linkedCallId: '1',
    },
    { recordedAt: at('19:42:00') },
  ),
  // Outgoing, without a hold time, recorded a millisecond more than an hour after its end.
  callEvent(
    '6',
    1,
    {
      ...answered,
      type: 'manual',
      campaignName: 'Summer',
      agentIds: ['ravi'],
      ...from('18:50:00', '18:51:00'),
      timeToAnswerSeconds: 2,
      durationSeconds: 40,
      wrapUpSeconds: 5,
      dispositions: ['Sale'],
    },
    { recordedAt: '2026-11-20T19:51:00.001Z' },
  ),
  callEvent('7', 1, { ...answered, type: 'ivr', skillName: undefined, timeToAnswerSeconds: 3, ...from('10:59:59') }),
  // Nobody knows whether it was answered.
  callEvent('8', 1, { ...inbound, ...onlyAsha, ...from('12:00:00') }),
  // Only the report knows it. An agent ended it.
  callEvent(
    '9',
    1,
    { ...missed, hangupBy: 'agent', skillName: 'Support', ...both, ...from('12:10:00'), elapsedSeconds: 400 },
    { source: 'report' },
  ),
  // It rang at one agent and another one answered it. A replay brought its second revision only.
  callEvent('10', 2, {
    ...answered,
    ...took(10, 70, 5, 10),
    ...both,
    ...from('11:10:00', '11:12:00'),
    linkedCallId: '99',
    legs: [
      leg('1', { status: 'not-answered', ...onlyAsha }),
      leg('2', { status: 'answered', agentIds: ['ravi'], ...took(10, 70, 5, 10) }),
    ],
  }),
  // On days that nobody asks about.
  ...['2026-11-19', '2026-11-22'].map((date) => callEvent(date, 1, { ...first, startedAt: at('10:00:00', date) })),
  intervalEvent('asha', 'ready', at('09:50:00'), at('10:05:00')),
  intervalEvent('asha', 'in-call', at('10:05:00'), at('10:20:00')),
  // Logged in, and part of no occupancy.
  intervalEvent('asha', 'pause', at('10:20:00'), at('10:30:00')),
  intervalEvent('ravi', 'ready', at('18:15:00'), at('18:45:00')),
  intervalEvent('ravi', 'pause', at('18:45:00'), at('18:55:00')),
  intervalEvent('ravi', 'calling', at('23:50:00', '2026-11-19'), at('00:10:00')),
];

const inNewYork = [
  callEvent(
    '1',
    1,
    {
      ...answered,
      ...took(60.001, 5, 1, 1),
      timeZone: 'America/New_York',
      ...onlyAsha,
      dispositions: ['Sale'],
      startedAt: at('02:30:00', '2026-11-21'),
      endedAt: at('02:31:00', '2026-11-21'),
    },
    { account: 'ny', recordedAt: at('02:31:30', '2026-11-21') },
  ),
  intervalEvent('asha', 'acw', at('04:55:00', '2026-11-21'), at('05:10:00', '2026-11-21'), 'ny'),
  intervalEvent('asha', 'ready', at('23:50:00', '2026-11-21'), at('00:10:00', '2026-11-22'), 'ny'),
];

/** An account without calls, whose time zone is thus unknown. */
const withoutCalls = [intervalEvent('li', 'ready', at('23:50:00'), at('00:10:00', '2026-11-21'), 'quiet')];

/** The days that are asked for, in UTC. */
export const days = { from: '2026-11-20', to: '2026-11-21' } as const;

/** Asks the views over the small day. Whatever comes twice counts once. */
export const askSmallDay = async () => {
  const { path } = temporaryFolder('small-day');
  await writeEvents(path, [...inKolkata, ...inNewYork, ...withoutCalls, ...inKolkata]);
  return askViews(path);
};

/** Nobody reads the digits of a share behind the third. */
const cellOf = (value: unknown): string => {
  if (value === null) return '-';
  const number = Number(value);
  return Number.isNaN(number) ? String(value).replace(' ', 'T') : String(Math.round(number * 1_000) / 1_000);
};

export const linesOf = (rows: readonly Readonly<Record<string, unknown>>[], names = Object.keys(rows[0] ?? {})) =>
  [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))].map((line) => line.join(' '));

export const lines = (text = '') => text.trim().split(/\n */);
