import { fail, ok, type Result } from '../result.ts';

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

const bareNumber = /(?:^|[:[,])\s*-?\d/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without touching a digit: numbers come back as the text that was sent, since most call ids exceed 2^53.
 * The text is parsed as it is first, so that quoting the numbers of a broken one cannot repair it.
 */
export const parseJson = (text: string): Result<Json, JsonProblem> => {
  const value = parsed(text);
  if (value === undefined) return fail('broken-json');

  const problem = problemIn(value, maxDepth);
  if (problem !== undefined) return fail(problem);

  return ok(bareNumber.test(text) ? withExactNumbers(text) : value);
};

const withExactNumbers = (valid: string): Json =>
  JSON.parse(valid.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const problemIn = (value: Json, depthLeft: number): JsonProblem | undefined => {
  if (value === null || typeof value !== 'object') return undefined;
  if (depthLeft === 0) return 'too-deep';

  if (Object.keys(value).some((key) => forbiddenKeys.has(key))) return 'forbidden-key';
  for (const child of Object.values(value)) {
    const problem = problemIn(child, depthLeft - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
