import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';
import { withFault, withoutFault } from './seeded/seeded-fault.ts';
import { seededFaults } from './seeded/seeded-faults.ts';

const fault = { name: 'x', what: 'x', check: 'crash', file: 'lib/x.ts', find: 'await ', replace: '' } as const;

describe('a planted fault', () => {
  it('takes its place', () => {
    expect(withFault('const a = await b();', fault)).toBe('const a = b();');
  });

  it('leaves its place as it is where the check is tried without it', () => {
    expect(withFault('const a = await b();', withoutFault(fault))).toBe('const a = await b();');
  });

  it.each(['const a = b();', 'await a(); await b();'])('has one place only: %s', (text) => {
    expect(() => withFault(text, fault)).toThrow(/“x” occurs [02] times? ?.*lib\/x\.ts/);
  });
});

describe('the planted faults', () => {
  it.each(seededFaults)('$name has its place in the code', (planted) => {
    const text = readFileSync(new URL(`../../${planted.file}`, import.meta.url), 'utf8');
    expect(withFault(text, planted)).not.toBe(text);
  });

  it('are there for each kind of check, under names of their own', () => {
    const checks = new Set(seededFaults.map(({ check }) => check));
    expect([...checks].sort()).toEqual(['crash', 'hostile', 'load', 'mutation', 'schedules', 'soak']);
    expect(new Set(seededFaults.map(({ name }) => name)).size).toBe(seededFaults.length);
  });
});

const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

describe('docs/reliability.md', () => {
  it.each(parts)('says how $name tries', ({ name }) => {
    expect(page).toContain(`- **${name}**`);
  });

  it.each(seededFaults)('has $name in its table, as found', ({ what, check }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${what} | ${check} | `));

    expect(row).toBeDefined();
    expect(row).not.toContain('NOT FOUND');
  });
});
