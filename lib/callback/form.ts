import * as z from 'zod/mini';

/** Fields of a form or query: the parsers give a list where a name is repeated. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

const isField = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((text) => typeof text === 'string'));

/** A form as a parser made it, of which a field `__proto__` is one like any other: zod's own records leave it out. */
export const Form = z.custom<Form>(
  (fields) =>
    typeof fields === 'object' && fields !== null && !Array.isArray(fields) && Object.values(fields).every(isField),
);
