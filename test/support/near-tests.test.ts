import { expect, it } from 'vitest';
import { fitting, testsNear } from './near-tests.ts';

const file = (name: string, ...imports: readonly string[]) => ({
  file: name,
  text: imports.map((target) => `import { x } from '${target}';`).join('\n'),
});

const sources = [
  file('lib/calls/record.ts'),
  file('lib/calls/row.ts', './record.ts'),
  file('lib/agents/row.ts'),
  file('test/client/calls.test.ts', '../../lib/calls/record.ts'),
  file('test/lib/calls/record.test.ts', '../../../lib/calls/record.ts'),
  file('test/lib/calls/row.test.ts', '../../../lib/calls/row.ts'),
  file('test/lib/agents/row.test.ts', '../../../lib/agents/row.ts'),
];

it('a change is near the tests that import it, those of its folder first, then those that import what imports it', () => {
  expect(testsNear(['lib/calls/record.ts'], sources)).toEqual([
    'test/lib/calls/record.test.ts',
    'test/client/calls.test.ts',
    'test/lib/calls/row.test.ts',
  ]);
});

it('of tests that are as near and in no nearer folder, the quick one comes first', () => {
  const two = [
    file('lib/a.ts'),
    file('test/x/1.test.ts', '../../lib/a.ts'),
    file('test/y/2.test.ts', '../../lib/a.ts'),
  ];
  const msOf = (name: string) => (name.includes('1') ? 9 : 1);

  expect(testsNear(['lib/a.ts'], two, msOf)).toEqual(['test/y/2.test.ts', 'test/x/1.test.ts']);
});

it('the test that is named after the changed file comes before any other, and so does one whose folder is', () => {
  const some = [
    file('cdk/constructs/alarms.ts'),
    file('cdk/stack.ts', './constructs/alarms.ts'),
    file('test/cdk/constructs/1.test.ts', '../../../cdk/constructs/alarms.ts'),
    file('test/cdk/alarms/2.test.ts', '../../../cdk/stack.ts'),
  ];

  expect(testsNear(['cdk/constructs/alarms.ts'], some)).toEqual([
    'test/cdk/alarms/2.test.ts',
    'test/cdk/constructs/1.test.ts',
  ]);
});

it('a changed file that is no module is near the tests that reach what names it, other than in a comment', () => {
  const reader = { file: 'lib/sql.ts', text: "read('questions.sql')" };
  const some = [
    reader,
    file('test/lib/sql.test.ts', '../../lib/sql.ts'),
    { file: 'test/x.test.ts', text: '// questions.sql' },
  ];

  expect(testsNear(['lib/questions.sql'], some)).toEqual(['test/lib/sql.test.ts']);
});

it('a changed test is nearest itself, and a page that nothing names is near none', () => {
  expect(testsNear(['test/lib/agents/row.test.ts', 'README.md'], sources)).toEqual(['test/lib/agents/row.test.ts']);
});

it('the nearest fit first, and one that takes too long is passed over', () => {
  const ms = new Map(Object.entries({ a: 3, b: 9, c: 4, d: 4 }));

  expect(fitting([...ms.keys()], (name) => ms.get(name) ?? 0, 10)).toEqual(['a', 'c']);
});
