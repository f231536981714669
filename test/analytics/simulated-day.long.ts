import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { questions, type SqlFile, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { views } from '../../functions/transform-events/views.ts';
import { dashboardQueries, sentByGrafana } from './dashboard.ts';
import { expectNothingPersonal, expectSameFigures, expectSameTimes } from './expectations.ts';
import { type Asking, askViews, period, type SimulatedDay, simulateDay } from './simulated-day.ts';

/** A day with 10,000 calls and 100 agents. */
const size = { hours: 24, agents: 100, gapMs: 8_640 };

let simulated: SimulatedDay;
let asking: Asking;
/** A busy machine takes half an hour. */
const patientMs = 3_600_000;

beforeAll(async () => {
  simulated = await simulateDay(size);
  asking = await askViews(simulated.folder);
}, patientMs);
afterAll(() => asking.close());

it('has the figures of `callfeed day` in every view', async () => {
  expect(simulated.day.calls.length).toBeGreaterThan(9_900);
  expect(simulated.day.agents.length).toBe(100);
  await expectSameFigures(simulated.day, asking);
  await expectSameTimes(simulated.day, asking);
});

it('has no number, name, recording or free text in any file', () => expectNothingPersonal(simulated, asking));

/** SQL as sqlglot translates it from Athena's dialect. It fails for what it cannot read or translate. */
const translated = <File extends Pick<SqlFile, 'sql'>>(files: readonly File[]): readonly File[] => {
  const program = join(import.meta.dirname, 'athena-dialect.py');
  const input = JSON.stringify(files.map(({ sql }) => sql));
  const output = execFileSync(join(inject('pythonPrograms'), 'python'), [program], { input, encoding: 'utf8' });
  const statements = z.array(z.tuple([z.string()])).parse(JSON.parse(output));
  return files.map((file, index) => ({ ...file, sql: statements[index]?.[0] ?? '' }));
};

it('answers every view, question and query of the dashboard as their translations from Athena’s dialect do', async () => {
  const asked = [
    ...questions().map(({ name, sql }) => ({ name, sql: withPeriod(sql, period) })),
    ...dashboardQueries().map(({ name, sql }) => ({ name, sql: sentByGrafana(sql, period) })),
  ];
  const ofAthena = await askViews(simulated.folder, translated(views));
  const whole = views.map(({ name }) => ({ name, sql: `SELECT * FROM ${name}` }));
  for (const [index, { name, sql }] of translated([...whole, ...asked]).entries()) {
    const own = [...whole, ...asked][index]?.sql ?? '';
    const rows = await asking.ask(inOrder(own));
    const others = await ofAthena.ask(inOrder(sql));
    expect([name, others]).toEqual([name, rows]);
    expect([name, rows.length > 0]).toEqual([name, true]);
  }
  ofAthena.close();
});

const inOrder = (sql: string): string => `SELECT * FROM (${sql}) AS answer ORDER BY ALL`;
