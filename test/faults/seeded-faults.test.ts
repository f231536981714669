import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';
import { seededFaults } from './seeded/seeded-faults.ts';
import { withFault } from './seeded/try-fault.ts';

const project = new URL('../../', import.meta.url);

describe('the seeded faults', () => {
  it.each(seededFaults)('$name has one place in the code', (seeded) => {
    const text = readFileSync(new URL(seeded.file, project), 'utf8');
    expect(withFault(text, seeded)).not.toBe(text);
    if (seeded.test !== undefined) expect(existsSync(new URL(seeded.test, project)), seeded.test).toBe(true);
  });

  it('cover each kind of check, under distinct names', () => {
    const checks = new Set(seededFaults.map(({ check }) => check));
    expect([...checks].sort()).toEqual(['crash', 'endurance', 'fuzz', 'mutation', 'schedules', 'unit']);
    expect(new Set(seededFaults.map(({ name }) => name)).size).toBe(seededFaults.length);
  });
});

const page = readFileSync(new URL('docs/reliability.md', project), 'utf8');

describe('docs/reliability.md', () => {
  it.each(parts)('explains the part $name', ({ name }) => {
    expect(page).toContain(`- **${name}**`);
  });
});
