import { afterAll, expect, it } from 'vitest';
import { questions, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dashboard, dashboardQueries, sentByGrafana } from './dashboard.ts';
import { askViews, callEvent, intervalEvent, within, writeEvents } from './simulated-day.ts';

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
  // Outgoing, without a hold time, recorded later than that.
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

/**
 * What each question answers about a small day of an account in Kolkata, whose next day begins at 18:30 in UTC, and of one in
 * New York, whose next day begins at 05:00. Agents, skills and campaigns have the same names in both. Checked by hand, column
 * by column.
 */
const answers: Readonly<Record<string, string>> = {
  // Winter: 1 of 4, as of the 6 and of the 2 given up the short one counts on neither side, and of one call nobody knows.
  'abandonment-by-campaign': `
    account local_day campaign_name offered abandoned short_abandoned abandonment
    demo 2026-11-20 Winter 6 2 1 0.25
    demo 2026-11-20 - 1 1 0 1
    demo 2026-11-21 Summer 0 0 0 -
    demo 2026-11-21 Winter 1 0 0 0
    ny 2026-11-20 Winter 1 0 0 0
  `,
  'agents-by-day': `
    account local_day agent_id calls answered handled talk_seconds logged_in_seconds occupancy
    demo 2026-11-20 asha 4 1 1 - 2400 0.5
    demo 2026-11-20 ravi 4 2 2 70 1500 0.4
    demo 2026-11-21 asha 1 1 1 60 - -
    demo 2026-11-21 ravi 1 0 1 40 1500 0
    ny 2026-11-20 asha 1 1 1 5 300 1
    ny 2026-11-21 asha 0 0 0 - 1200 0.5
    quiet 2026-11-20 li 0 0 0 - 600 0
    quiet 2026-11-21 li 0 0 0 - 600 0
  `,
  'calls-by-day': `
    account local_day calls offered answered missed abandoned short_abandoned service_level abandonment answer_seconds handle_seconds
    demo 2026-11-20 8 7 2 4 3 1 0.4 0.4 15 107.5
    demo 2026-11-21 2 1 1 0 0 0 0 0 60 90
    ny 2026-11-20 1 1 1 0 0 0 0 0 60.001 7
  `,
  'calls-found-by-the-report': `
    account local_day calls found_by_report share
    demo 2026-11-20 8 1 0.125
    demo 2026-11-21 2 0 0
    ny 2026-11-20 1 0 0
  `,
  'calls-recorded-late': `
    account local_day calls within_five_minutes within_an_hour later revisions
    demo 2026-11-20 1 1 0 0 2
    demo 2026-11-21 2 0 1 1 1
    ny 2026-11-20 1 1 0 0 1
  `,
  'dispositions-by-campaign': `
    account campaign_name disposition calls share
    demo Summer Sale 1 1
    demo Winter - 3 0.6
    demo Winter Callback 1 0.2
    demo Winter Sale 1 0.2
    ny Winter Sale 1 1
  `,
  'handle-time-by-skill-and-agent': `
    account skill_name agent_id handled talk_seconds hold_seconds wrap_up_seconds handle_seconds
    demo Sales ravi 3 55 5 7.5 85
    demo Sales asha 1 - - - -
    demo Support asha 1 60 0 30 90
    ny Sales asha 1 5 1 1 7
  `,
  'missed-calls': `
    account call_id listed_at local_day skill_name campaign_name hangup_by elapsed_seconds agents
    demo 9 2026-11-20T12:10:00 2026-11-20 Support Winter agent 400 2
    demo 4 2026-11-20T10:50:00 2026-11-20 Support - user 60 0
    demo 3 2026-11-20T10:25:00 2026-11-20 Sales Winter user 10 0
    demo 2 2026-11-20T10:20:00 2026-11-20 Sales Winter user 9.999 1
  `,
  'service-level-by-hour-and-skill': `
    account skill_name local_hour offered answered short_abandoned service_level
    demo Sales 0 0 0 0 -
    demo Sales 15 3 1 1 0.5
    demo Sales 16 1 1 0 1
    demo Sales 17 1 0 0 -
    demo Support 0 1 1 0 0
    demo Support 16 1 0 0 0
    demo Support 17 1 0 0 0
    demo - 16 0 0 0 -
    ny Sales 21 1 1 0 0
  `,
  'staffing-by-hour': `
    account hour_at offered missed agents occupancy
    demo 2026-11-20T00:00:00 0 0 0.167 1
    demo 2026-11-20T09:00:00 0 0 0.167 0
    demo 2026-11-20T10:00:00 4 3 0.5 0.75
    demo 2026-11-20T11:00:00 1 0 - -
    demo 2026-11-20T12:00:00 2 1 - -
    demo 2026-11-20T18:00:00 1 0 0.667 0
    ny 2026-11-21T02:00:00 1 0 - -
    ny 2026-11-21T04:00:00 0 0 0.083 1
    ny 2026-11-21T05:00:00 0 0 0.167 1
    ny 2026-11-21T23:00:00 0 0 0.167 0
    quiet 2026-11-20T23:00:00 0 0 0.167 0
    quiet 2026-11-21T00:00:00 0 0 0.167 0
  `,
  'time-in-states-by-agent': `
    account agent_id state intervals seconds share first_at last_at
    demo asha in-call 1 900 0.375 2026-11-20T10:05:00 2026-11-20T10:20:00
    demo asha ready 1 900 0.375 2026-11-20T09:50:00 2026-11-20T10:05:00
    demo asha pause 1 600 0.25 2026-11-20T10:20:00 2026-11-20T10:30:00
    demo ravi ready 1 1800 0.5 2026-11-20T18:15:00 2026-11-20T18:45:00
    demo ravi calling 1 1200 0.333 2026-11-19T23:50:00 2026-11-20T00:10:00
    demo ravi pause 1 600 0.167 2026-11-20T18:45:00 2026-11-20T18:55:00
    ny asha acw 1 900 1 2026-11-21T04:55:00 2026-11-21T05:10:00
    quiet li ready 1 1200 1 2026-11-20T23:50:00 2026-11-21T00:10:00
  `,
  'time-to-answer-by-skill': `
    account skill_name answered within_ten within_twenty within_sixty later average_seconds longest_seconds
    demo Sales 2 1 1 0 0 15 20
    demo Support 1 0 0 1 0 60 60
    ny Sales 1 0 0 0 1 60.001 60.001
  `,
  'transfers-between-skills': `
    account from_skill to_skill calls answered
    demo Sales Support 1 1
    demo Support Sales 1 0
    demo - Sales 1 1
  `,
};

/** The days that are asked for, in UTC. */
const days = { from: '2026-11-20', to: '2026-11-21' } as const;

const { path } = temporaryFolder('questions');
// Whatever comes twice counts once.
await writeEvents(path, [...inKolkata, ...inNewYork, ...withoutCalls, ...inKolkata]);
const asking = await askViews(path);
afterAll(() => asking.close());

/** Nobody reads the digits of a share behind the third. */
const cellOf = (value: unknown): string => {
  if (value === null) return '-';
  const number = Number(value);
  return Number.isNaN(number) ? String(value).replace(' ', 'T') : String(Math.round(number * 1_000) / 1_000);
};

const linesOf = (rows: readonly Readonly<Record<string, unknown>>[], names = Object.keys(rows[0] ?? {})) =>
  [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))].map((line) => line.join(' '));

const lines = (text = '') => text.trim().split(/\n */);

it.each(questions())('the question $name has every value of a small day', async ({ name, sql, columns }) => {
  const rows = await asking.ask(withPeriod(sql, days));

  expect(
    linesOf(
      rows,
      columns.map((column) => column.name),
    ),
  ).toEqual(lines(answers[name]));
});

/** What each panel of the dashboard for Grafana shows of the account in Kolkata. */
const panels: Readonly<Record<string, string>> = {
  account: `
    account
    demo
    ny
  `,
  Offered: 'value\n8',
  Missed: 'value\n4',
  'Service level': 'value\n0.333',
  Abandonment: 'value\n0.333',
  'Time to answer': 'value\n30',
  'Handle time': 'value\n101.667',
  'Calls by quarter of an hour': `
    time answered missed
    2026-11-20T10:00:00 1 0
    2026-11-20T10:15:00 0 2
    2026-11-20T10:45:00 0 1
    2026-11-20T11:00:00 1 0
    2026-11-20T12:00:00 0 1
    2026-11-20T18:30:00 1 0
    2026-11-20T18:45:00 0 0
  `,
  'Service level by hour': `
    time service_level
    2026-11-20T10:00:00 0.333
    2026-11-20T11:00:00 1
    2026-11-20T12:00:00 0
    2026-11-20T18:00:00 0
  `,
  Skills: `
    skill_name account offered answered service_level time_to_answer handle_time
    Sales demo 5 2 0.667 15 107.5
    Support demo 3 1 0 60 90
    - demo 0 0 - - -
  `,
  Dispositions: `
    disposition calls
    Sale 2
    Callback 1
  `,
  Agents: `
    time logged_in handling
    2026-11-20T00:00:00 0.667 0.667
    2026-11-20T09:45:00 0.667 0
    2026-11-20T10:00:00 1 0.667
    2026-11-20T10:15:00 1 0.333
    2026-11-20T18:15:00 1 0
    2026-11-20T18:30:00 1 0
    2026-11-20T18:45:00 0.667 0
  `,
  'Agents by time': `
    agent_id account logged_in handling occupancy
    asha demo 2400 900 0.5
    ravi demo 3000 600 0.25
  `,
};

it.each(dashboardQueries())('the panel $name has every value of a small day', async ({ name, sql }) => {
  expect(linesOf(await asking.ask(sentByGrafana(sql, days)))).toEqual(lines(panels[name]));
});

it.each([
  ['Service level', 'value'],
  ['Service level by hour', 'service_level'],
  ['Skills', 'service_level'],
  ['service-level-by-hour-and-skill', 'service_level'],
  ['calls-by-day', 'service_level'],
])('%s has no zero where no call has a time to answer', async (name, column) => {
  const sales = { timeZone: 'UTC', skillName: 'Sales', startedAt: '2026-11-20T10:00:00.000Z' };
  const calls = ['answered', 'not-answered'].map((status) => callEvent(status, 1, { ...sales, status }));
  const { sql = '' } = [...dashboardQueries(), ...questions()].find((query) => query.name === name) ?? {};
  const [row] = await within(calls, ({ ask }) => ask(sentByGrafana(withPeriod(sql, days), days)));

  expect(row?.[column]).toBeNull();
});

it('the dashboard has panels of different ids that do not overlap', () => {
  const { panels } = dashboard();
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );

  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});
