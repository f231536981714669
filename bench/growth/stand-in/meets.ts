import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../costs/write-units.ts';

/** Whether a row, or that there is none, meets a condition of those that our functions set. Throws for any other. */
export const meets = (condition: string | undefined, row: Item | undefined, values: Item = {}): boolean => {
  if (condition === undefined) return true;

  const [, absent] = /^attribute_not_exists\((\w+)\)$/.exec(condition) ?? [];
  if (absent !== undefined) return row?.[absent] === undefined;

  const [, name = '', value = ''] = /^(\w+) = (:\w+)$/.exec(condition) ?? [];
  if (values[value] === undefined) throw new Error(`The stand-in does not know the condition “${condition}”`);
  return isDeepStrictEqual(row?.[name], values[value]);
};
