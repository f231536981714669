import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seededFaults, withFault } from './seeded-faults.ts';

const project = new URL('../../../', import.meta.url);

it.each(seededFaults)('the seeded fault $name has one place in the code, and a test', (seeded) => {
  const text = readFileSync(new URL(seeded.file, project), 'utf8');
  expect(withFault(text, seeded)).not.toBe(text);
  expect(existsSync(new URL(seeded.test, project)), seeded.test).toBe(true);
});

it('each kind of check has to find a seeded fault', () => {
  const checks = new Set(seededFaults.map(({ test }) => test.split('/')[2]));
  expect([...checks].sort()).toEqual(['crash', 'endurance', 'fuzz', 'schedules']);
});

it.each(['crash', 'schedules', 'fuzz', 'endurance'])('docs/reliability.md explains %s', (part) => {
  expect(readFileSync(new URL('docs/reliability.md', project), 'utf8')).toContain(`- **${part}**`);
});
