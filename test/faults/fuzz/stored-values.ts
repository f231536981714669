import type { Row } from '../../../lib/storage/rows.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';

/** A key whose characters each carrier writes in its own way. */
const trickyKey = 'tr1cky+Key/of=demo&7';

export const accounts = [
  { userName: 'demo', apiKeys: [...demoAccount.apiKeys, trickyKey], timeZone: 'Asia/Kolkata' },
  { userName: 'other', apiKeys: ['other-key-31c9'], timeZone: 'Europe/London' },
] as const;

/** The live keys: none may occur in a row, log or reply. */
export const secrets: readonly string[] = accounts.flatMap(({ apiKeys }) => apiKeys);

/** The part of the address that only the service knows; no post contains it. */
export const callbackSecret = 'path-of-the-callback-9b2e';

export const tokens = { static: 'SENTINEL-static-token', generated: 'SENTINEL-generated-token' } as const;

/** The keys of the account whose agents are polled. */
export const pollingKeys: readonly string[] = accounts[0].apiKeys;

/** What requests to the service contain, and what it might repeat. */
export const pollSecrets: readonly string[] = [...pollingKeys, ...Object.values(tokens)];

const maxDepth = 32;
const maxNameBytes = 65_535;

/** What in a value DynamoDB would reject. Sizes and keys are checked by the tables in memory. */
const problemIn = (value: unknown, depth = 0): string | undefined => {
  if (depth > maxDepth) return 'a value deeper than 32 levels';
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a lone surrogate';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number that is not finite';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '' || !name.isWellFormed() || Buffer.byteLength(name) > maxNameBytes) return 'an invalid name';
    const problem = problemIn(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** What in these rows the real DynamoDB would have rejected. */
export const notStorable = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap((row) => {
    const problem = problemIn(row);
    return problem === undefined ? [] : [`A row has ${problem}`];
  });

/** Decodes JSON escapes. A run of backslashes is read from its start only, or a long one takes quadratic time. */
export const unescaped = (text: string): string =>
  text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<!\\)\\+(["\\/])/g, '$1');

/** Decodes the escapes of a form or an address. */
export const percentDecoded = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** How deep escapes may lie in each other: of an address within those of JSON within those of a form. */
const escapeDepth = 3;

/** A text as it is and, if it has escapes, as it may be decoded. */
export const readings = (text: string): readonly string[] => {
  const found = new Set([text]);
  let latest = [text];
  for (let depth = 0; depth < escapeDepth; depth += 1) {
    latest = latest.flatMap(decodings).filter((reading) => !found.has(reading));
    for (const reading of latest) found.add(reading);
  }
  return [...found];
};

const decodings = (text: string): readonly string[] => [
  ...(text.includes('\\') ? [unescaped(text)] : []),
  ...(text.includes('%') ? [percentDecoded(text)] : []),
];

/** The secrets in a text, in whatever escapes. */
export const secretsIn = (text: string, secrets: readonly string[]): readonly string[] => {
  const all = readings(text);
  return secrets.filter((secret) => all.some((reading) => reading.includes(secret)));
};

/** How programs write a text in JSON, in an address and in a form. */
const writers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  encodeURIComponent,
  (text) => new URLSearchParams({ text }).toString().slice('text='.length),
];

const spellings = (secret: string): readonly string[] =>
  writers.flatMap((write) => writers.map((writeInner) => write(writeInner(secret))));

/** The secrets in a text as programs write them, one inside the other too. */
export const leakedSecrets = (text: string, secrets: readonly string[]): readonly string[] =>
  secrets.filter((secret) => spellings(secret).some((spelling) => text.includes(spelling)));

/** Every text, number and name in a value, as a flat list. */
export const textsIn = (value: unknown): readonly string[] => {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next !== 'object') texts.push(String(next));
    else if (Array.isArray(next)) open.push(...next);
    else for (const [name, inner] of Object.entries(next)) open.push(name, inner);
  }
  return texts;
};
