import { fail, ok, type Result } from './result.ts';

/** A JSON value whose numbers are the digits as sent. */
export type Json = string | boolean | null | readonly Json[] | JsonObject;

/** An object of such values. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether the value is an object rather than a list or a scalar. */
export const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a text is not accepted as JSON. */
export type JsonProblem = 'broken-json' | 'too-deep' | 'forbidden-key';

/** Call summaries have two levels; more than this is an attack or a mistake, and recursion over it could overflow. */
export const maxDepth = 20;

/** Keys with which a careless copy would reach an object's prototype. No sender has a use for them. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Where a number may stand that its value does not tell the digits of: 16 digits or more, a fraction, an exponent, minus
 * zero. It may be found within a text too, which costs time and nothing else.
 */
const inexactNumber = /(?:^|[:[,])\s*(?:-0|-?\d{16}|-?\d+[.eE])/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without touching a digit: numbers come back as the text that was sent, since most call ids exceed 2^53.
 * The text is parsed as it is first, so that quoting the numbers of a broken one cannot repair it.
 */
export const parseJson = (text: string): Result<Json, JsonProblem> => {
  const sent = parseOrUndefined(text);
  if (sent === undefined) return fail('broken-json');

  const value = inexactNumber.test(text) ? withQuotedNumbers(text) : sent;
  if (typeof value === 'number') return ok(String(value));
  const problem = stringifyNumbers(value, maxDepth);
  return problem === undefined ? ok(value) : fail(problem);
};

/** What was parsed a moment ago and is nobody else's yet: its numbers may still be written as texts, in place. */
type MutableJson = string | number | boolean | null | MutableJson[] | { [key: string]: MutableJson };

/** Untyped, for the numbers in it: whoever calls this settles them. */
const parseOrUndefined = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const withQuotedNumbers = (valid: string) =>
  JSON.parse(valid.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));

/** Tells what is not taken, and in passing writes numbers as texts: a copy of all would cost as much as parsing it. */
const stringifyNumbers = (value: MutableJson, depthLeft: number): JsonProblem | undefined => {
  if (value === null || typeof value !== 'object') return undefined;
  if (depthLeft === 0) return 'too-deep';
  if (Array.isArray(value)) return stringifyEntries(value, depthLeft);

  let problem: JsonProblem | undefined;
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return 'forbidden-key';
    const child = value[key] ?? null;
    if (typeof child === 'number') value[key] = String(child);
    else problem ??= stringifyNumbers(child, depthLeft - 1);
  }
  return problem;
};

const stringifyEntries = (list: MutableJson[], depthLeft: number): JsonProblem | undefined => {
  for (const [index, entry] of list.entries()) {
    const problem = stringifyNumbers(entry, depthLeft - 1);
    if (problem !== undefined) return problem;
    if (typeof entry === 'number') list[index] = String(entry);
  }
  return undefined;
};

/** How many bytes a value takes as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** What a JSON text holds, as JavaScript reads it; undefined, which no JSON means, if it is none. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
