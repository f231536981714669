import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parts } from '../../bench/parts.ts';

const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');

it.each(parts)('docs/performance.md says what $name measures', ({ name }) => {
  expect(page).toMatch(new RegExp(`^\`${name}\`: `, 'm'));
});
