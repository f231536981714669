import { afterAll, expect, it } from 'vitest';
import { questions, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { views } from '../../functions/transform-events/views.ts';
import { expectNothingPersonal, expectSameFigures, expectSameTimes, glueTypes } from './expectations.ts';
import { askViews, period, simulateDay } from './simulated-day.ts';

const simulated = await simulateDay({ hours: 1, agents: 20, gapMs: 12_000 });
const asking = await askViews(simulated.folder);
afterAll(() => asking.close());

it('has the figures of `callfeed day` in every view', async () => {
  expect(simulated.day.calls.length).toBeGreaterThan(200);
  await expectSameFigures(simulated.day, asking);
  await expectSameTimes(simulated.day, asking);
});

it('has no number, name, recording or free text in any file', () => expectNothingPersonal(simulated, asking));

const files = [...views.map((one) => ['view', one] as const), ...questions().map((one) => ['question', one] as const)];

it.each(files.map(([kind, file]) => [`${kind} ${file.name}`, file] as const))(
  'answers the %s with the columns and types of its header',
  async (_title, { name, sql, columns }) => {
    const reader = await asking.read(withPeriod(sql, period));
    const types = reader.columnTypes().map((type) => glueTypes[String(type)]);

    expect(reader.columnNames().map((column, index) => [column, types[index]])).toEqual(
      columns.map((column) => [column.name, column.type]),
    );
    expect([name, reader.currentRowCount > 0]).toEqual([name, true]);
  },
);
