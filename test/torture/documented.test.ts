import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from '../../torture/parts.ts';
import { plantedFaults } from '../../torture/planted/planted-faults.ts';

const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

describe('docs/reliability.md', () => {
  it.each(parts)('says how $name tries', ({ name }) => {
    expect(page).toContain(`- **${name}**`);
  });

  it.each(plantedFaults)('has $name in its table, as found', ({ what, check }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${what} | ${check} | `));

    expect(row).toBeDefined();
    expect(row).not.toContain('NOT FOUND');
  });
});
