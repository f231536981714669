import { expect, it } from 'vitest';

import { questions, readSqlFile, withPeriod } from '../../../functions/transform-events/sql-files.ts';

const text = `-- title: Calls
-- meaning: Each call
-- meaning: once.
-- column: skill_name string: The skill: as sent.
-- column: calls bigint: How many.
SELECT skill_name, count(*) AS calls
FROM calls
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
`;

it('reads the header and the SQL of a file', () => {
  expect(readSqlFile('calls', text)).toMatchObject({
    ...{ name: 'calls', title: 'Calls', meaning: 'Each call once.' },
    columns: [
      { name: 'skill_name', type: 'string', meaning: 'The skill: as sent.' },
      { name: 'calls', type: 'bigint', meaning: 'How many.' },
    ],
    sql: expect.stringMatching(/^SELECT skill_name.*AS varchar\)$/s),
  });
});

it('knows the columns of tables and views by their names, in the order of the header', () => {
  const header = '-- columns: account offered\n-- column: share double: Their share.\n-- columns: state';
  const { columns } = readSqlFile('calls', `${header}\nSELECT 1`);
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['account', 'string'],
    ['offered', 'bigint'],
    ['share', 'double'],
    ['state', 'string'],
  ]);
});

it.each([
  ['-- column: calls text: How many.', 'This is no column: calls text: How many.'],
  ['-- column: calls', 'This is no column: calls'],
  ['-- columns: cals', 'cals is a column of no table and no view.'],
])('rejects the header %s', (line, problem) => {
  expect(() => readSqlFile('calls', `${line}\nSELECT 1`)).toThrow(problem);
});

it.each(questions())(
  'the question $name has the account: ids of agents, skills and campaigns are unique in it only',
  (question) => {
    expect(question.columns[0]).toMatchObject({ name: 'account', type: 'string' });
    expect(question.sql).toMatch(/SELECT\s+(?:later\.)?account,/);
  },
);

it('asks of other days', () => {
  expect(withPeriod(readSqlFile('calls', text).sql, { from: '2026-11-01', to: '2026-11-30' })).toContain(
    "day BETWEEN CAST(DATE '2026-11-01' AS varchar) AND CAST(DATE '2026-11-30' AS varchar)",
  );
});
