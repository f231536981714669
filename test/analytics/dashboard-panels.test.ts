import { afterAll, expect, it } from 'vitest';
import { questions, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { dashboard, dashboardQueries, sentByGrafana } from './dashboard.ts';
import { callEvent, within } from './simulated-day.ts';
import { askSmallDay, days, lines, linesOf } from './small-day.ts';

const asking = await askSmallDay();
afterAll(() => asking.close());

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

it('the panels of the dashboard have different ids', () => {
  const ids = dashboard().panels.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
});

it('the panels of the dashboard do not overlap', () => {
  const cells = dashboard().panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );

  expect(new Set(cells).size).toBe(cells.length);
});

it('the panels of the dashboard are within its width', () => {
  const ends = dashboard().panels.map(({ gridPos: { x, w } }) => x + w);

  expect(Math.max(...ends)).toBeLessThanOrEqual(24);
});
