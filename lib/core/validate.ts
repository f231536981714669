import type * as z from 'zod/mini';
import type { Facts } from './collections.ts';
import { loggableError } from './result.ts';

/** Ten examples are enough to see what is wrong. A list of a thousand records can have a thousand problems. */
const maxProblems = 10;

/**
 * What is wrong in a value that holds secrets, in one line: what its schema expects at each place, such as
 * `[0].token.kind`. No part of the value is in it. `name` is that of the value itself.
 */
export const problemText = ({ issues }: z.core.$ZodError, name: string): string => {
  const more = issues.length - maxProblems;
  return [
    ...issues.slice(0, maxProblems).map(({ path, message }) => `${placeOf(path) || name}: ${message}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ');
};

const placeOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');

/** Which fields of a value are wrong. What lies deeper is not named: the names of a map may be personal data. */
export const wrongFields = ({ issues }: z.core.$ZodError): string =>
  [...new Set(issues.map(({ path: [field = 'the value itself'] }) => String(field)))].join(', ');

/**
 * The declared fields of a row that one of our functions wrote. What a newer version added is left out. Throws if something
 * else wrote the row.
 */
export const readRow = <Schema extends z.ZodMiniType>(schema: Schema, row: Facts): z.output<Schema> => {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  throw loggableError(`Callfeed did not write this row. Wrong: ${wrongFields(read.error)}`);
};
