import { compare, isObject } from './collections.ts';
import { isFarTooDeep, jsonNumber, jsonParts, replaceTokens, stringOr } from './json-text.ts';
import { fail, ok, type Result } from './result.ts';

/** A JSON value whose numbers are the digits as sent. */
export type Json = string | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export const isJsonObject = (value: Json | undefined): value is JsonObject => isObject(value);

export type JsonProblem = 'broken-json' | 'too-deep' | 'forbidden-key';

/** Call summaries have two levels. Deeper nesting is an attack or a mistake, and recursion over it could overflow. */
export const maxDepth = 20;

/** Keys through which a careless copy would reach an object's prototype. No sender uses them. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Finds a number whose digits its value may lose. A match inside a string costs time, and nothing else. */
const inexactNumber = /(?:^|[:[,])\s*(?:-0|-?\d{16}|-?\d+[.eE])/;

/** Parses JSON and returns every number as the text that was sent, since most call ids exceed 2^53. */
export const parseJson = (text: string): Result<Json, JsonProblem> => {
  if (isFarTooDeep(text)) return fail('too-deep');
  const value = parsedWithDigits(text);
  if (value === undefined) return fail('broken-json');
  if (typeof value === 'number') return ok(String(value));
  const problem = stringifyNumbers(value, maxDepth);
  return problem === undefined ? ok(value as Json) : fail(problem);
};

/**
 * As `parseJson`, but a field with a forbidden key is left out, and what is nested too deeply is null. So one bad record
 * does not spoil the others of a list. Undefined if the text is no JSON.
 */
export const parseJsonWithoutBadParts = (text: string): Json | undefined => {
  const value = parsedWithDigits(text);
  if (value === undefined) return undefined;
  if (typeof value === 'number') return String(value);
  stringifyNumbers(value, maxDepth, (parent, name) => {
    if (forbiddenKeys.has(name)) delete parent[name];
    else parent[name] = null;
  });
  return value as Json;
};

/** The value of JSON. Where a number would lose digits, all are quoted first: a reviver’s stack would end in deep JSON. */
const parsedWithDigits = (text: string): ParsedJson | undefined => {
  const value = tryParseJson(text);
  return value === undefined || !inexactNumber.test(text)
    ? value
    : tryParseJson(replaceTokens(text, stringOrNumber, quoted));
};

const stringOrNumber = stringOr(jsonNumber);
const quoted = (token: string): string => (token.startsWith('"') ? token : `"${token}"`);

type RemovePart = (parent: { [name: string]: ParsedJson }, name: string) => void;

/** In place: a copy would cost as much as parsing. Stops at the first problem, unless `removePart` is given. */
const stringifyNumbers = (value: ParsedJson, depthLeft: number, removePart?: RemovePart): JsonProblem | undefined => {
  if (value === null || typeof value !== 'object') return undefined;
  if (depthLeft === 0) return 'too-deep';
  const parent = value as { [name: string]: ParsedJson };
  for (const name of Object.keys(value)) {
    const child = parent[name] ?? null;
    if (typeof child === 'number') parent[name] = String(child);
    const problem = forbiddenKeys.has(name) ? 'forbidden-key' : stringifyNumbers(child, depthLeft - 1, removePart);
    if (problem === undefined) continue;
    if (removePart === undefined) return problem;
    removePart(parent, name);
  }
  return undefined;
};

/** What `JSON.parse` returns. Only its caller holds it, so it may be changed in place. */
type ParsedJson = string | number | boolean | null | ParsedJson[] | { [key: string]: ParsedJson };

type Reviver = (name: string, value: unknown) => unknown;

/** Parses JSON as JavaScript does. Undefined, which JSON cannot express, means invalid JSON, or too deep for a reviver’s stack. */
export const tryParseJson = (text: string, reviver?: Reviver): ParsedJson | undefined => {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
};

/** Follows each name in a JSON text, and may be in a string too. */
const endOfName = /"\s*:/g;

/** Of several fields with one name a parser keeps the last; the earlier ones come after all others. */
export const fieldsOf = (value: JsonObject, text: string): readonly (readonly [name: string, value: Json])[] => {
  const fields = Object.entries(value);
  if ((text.match(endOfName)?.length ?? 0) === fields.length) return fields;
  const parts = jsonParts(text);
  if (parts.length === fields.length) return fields;

  const last = new Map(parts.map((part) => [part.name, part]));
  const earlier = parts.filter((part) => last.get(part.name) !== part);
  return [...fields, ...earlier.map(({ name, text }) => [name, parseJsonWithoutBadParts(text) ?? null] as const)];
};

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** JSON with sorted keys and without undefined: equal content gives equal text, whatever the order of its keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

const sorted = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
};

/** Null is undefined. `String` would throw on an object that has a field named `toString`. */
export const textOfJson = (value: Json): string | undefined => {
  if (value === null) return undefined;
  return typeof value === 'object' ? canonicalJson(value) : String(value);
};

export const textsOfJson = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry: Json) => textOfJson(entry) ?? []);

export const isLikeJson = (text: string): boolean => /^[\s\uFEFF]*[[{]/.test(text);

/** How JSON of a list or object begins. An entry of a list of calls may hold no more than the beginning of it. */
const beginning = /^\s*(?:\{\s*"|\[\s*["{[])/;

const isListOrObject = (text: string): boolean => isLikeJson(text) && typeof tryParseJson(text) === 'object';

/** Whether a value has a list or object in JSON, whole or in pieces, as a chain is split at each `->`: nobody knows what is in it. */
export const holdsNestedJson = (value: unknown): boolean => {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.some((text) => beginning.test(text) || isListOrObject(text)) || isListOrObject(texts.join('->'));
};

/** A value as JSON in the characters of XML, which SQS accepts. JSON escapes all others except these two. */
export const xmlSafeJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\uFFFE\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
