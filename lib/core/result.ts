/** An expected outcome as a value: a refusal is part of the contract, only faults throw. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** What was asked for. */
export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });

/** Why it could not be had. */
export const fail = <Problem>(problem: Problem): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem,
});

/** Our own words on a fault: unlike a library's message, this one holds no data and may be logged. */
export const loggableError = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { isLoggable: true });

/** The error's message, if it is in our own words. */
export const loggableMessage = (error: unknown): string | undefined =>
  error instanceof Error && 'isLoggable' in error ? error.message : undefined;
