/** An expected outcome as a value: a rejection is part of the contract; only faults throw. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** A success. */
export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });

/** An expected failure, with its reason. */
export const fail = <Problem>(problem: Problem): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem,
});

/** A fault whose message may be logged: we wrote it, so it holds no data. A library's message may hold some. */
export const loggableError = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { isLoggable: true });

/** The message of a `loggableError`; undefined for any other error. */
export const loggableMessage = (error: unknown): string | undefined =>
  error instanceof Error && 'isLoggable' in error ? error.message : undefined;
