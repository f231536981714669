import { afterAll, expect, it } from 'vitest';
import { questions, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { askSmallDay, days, lines, linesOf } from './small-day.ts';

/**
 * What each question answers about a small day of an account in Kolkata, whose next day begins at 18:30 in UTC, and of one in
 * New York, whose next day begins at 05:00. Agents, skills and campaigns have the same names in both. Checked by hand, column
 * by column.
 */
const answers: Readonly<Record<string, string>> = {
  // Winter: of 6 offered calls, one is short abandoned and one undecided. Of the other 4, one was abandoned.
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

/** A failure shows neither the heading nor what comes before it, where they are far from the line that differs. */
const whatDaysAre =
  'Local days begin at 18:30 in UTC for demo, at 05:00 for ny, and at 00:00 for quiet, which has no call. test/analytics/small-day.ts has the calls.';

const asking = await askSmallDay();
afterAll(() => asking.close());

it.each(questions())('the question $name has every value of a small day', async ({ name, sql, columns }) => {
  const names = columns.map((column) => column.name);
  const rows = await asking.ask(withPeriod(sql, days));

  expect(linesOf(rows, names), `${whatDaysAre}\n${names.join(' ')}\n`).toEqual(lines(answers[name]));
});
