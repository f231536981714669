import { expect, it } from 'vitest';
import { uniqueNames } from '../../../lib/callback/unique-names.ts';

it('uniqueNames numbers a name that comes again', () => {
  const nameOf = uniqueNames();

  expect(['a', 'b', 'a', 'a', '__proto__', '__proto__'].map(nameOf)).toEqual([
    'a',
    'b',
    'a (2)',
    'a (3)',
    '__proto__',
    '__proto__ (2)',
  ]);
});
