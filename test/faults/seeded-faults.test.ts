import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';
import { withFault, withoutFault } from './seeded/seeded-fault.ts';
import { seededFaults } from './seeded/seeded-faults.ts';

const fault = { name: 'x', what: 'x', check: 'crash', file: 'lib/x.ts', find: 'await ', replace: '' } as const;
const project = new URL('../../', import.meta.url);

describe('a seeded fault', () => {
  it('replaces its text', () => {
    expect(withFault('const a = await b();', fault)).toBe('const a = b();');
  });

  it('changes nothing where the check is tried without it', () => {
    expect(withFault('const a = await b();', withoutFault(fault))).toBe('const a = await b();');
  });

  it.each(['const a = b();', 'await a(); await b();'])('is rejected unless its text occurs once: %s', (text) => {
    expect(() => withFault(text, fault)).toThrow(/“x” replaces occurs [02] times in lib\/x\.ts/);
  });
});

describe('the seeded faults', () => {
  it.each(seededFaults)('$name has one place in the code', (seeded) => {
    const text = readFileSync(new URL(seeded.file, project), 'utf8');
    expect(withFault(text, seeded)).not.toBe(text);
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

  it.each(seededFaults)('lists $name as found', ({ what, check }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${what} | ${check} | `));

    expect(row).toBeDefined();
    expect(row).not.toContain('NOT FOUND');
  });
});
