import type * as z from 'zod/mini';

/** An expected outcome as a value: a rejection is part of the contract; only faults throw. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });

export const fail = <Problem>(problem: Problem): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem,
});

/** A fault whose message may be logged: we wrote it, so it holds no data. A library's message may hold some. */
export const loggableError = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { isLoggable: true });

export const loggableMessage = (error: unknown): string | undefined =>
  error instanceof Error && 'isLoggable' in error ? error.message : undefined;

const maxProblems = 10;

/** What is wrong in a value that holds secrets: what the schema expects at each place, and no part of the value. */
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
