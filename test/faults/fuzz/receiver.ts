import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { callbackSecretHash } from '../../../lib/accounts/callback-secret.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { bodyOf } from '../../../lib/callback/store-or-park.ts';
import { type Row, unmarshalled } from '../../../lib/storage/rows.ts';
import { demoAccount } from '../../../sandbox/aws/sandbox-options.ts';
import { memoryDynamodb } from '../../deployment/memory-dynamodb.ts';
import { createEnvironment } from '../../deployment/world.ts';

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
  (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
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

const shared = [
  ...[Object, Array, Function, String, Number, Boolean, RegExp, Map, Set, Promise, Error, URLSearchParams].map(
    ({ name, prototype }) => ({ name, object: Object(prototype) }),
  ),
  { name: 'Object itself', object: Object },
  { name: 'Array itself', object: Array },
].map((each) => ({ ...each, properties: Object.getOwnPropertyDescriptors(each.object) }));

/** What was added to or changed in shared prototypes. It is undone, so that the next case is judged alone. */
export const pollutedPrototypes = (): readonly string[] =>
  shared.flatMap(({ name, object, properties }) => {
    const before: Readonly<Record<PropertyKey, PropertyDescriptor | undefined>> = properties;
    const odd = Reflect.ownKeys(object).filter((key) => {
      const now = Reflect.getOwnPropertyDescriptor(object, key);
      return now?.value !== before[key]?.value || now?.get !== before[key]?.get;
    });
    for (const key of odd) {
      Reflect.deleteProperty(object, key);
      Object.defineProperties(object, before[key] === undefined ? {} : { [key]: before[key] });
    }
    return odd.map((key) => `${name} was polluted with “${String(key)}”`);
  });

export type Answered = { readonly answer: unknown } | { readonly thrown: unknown };

/** The result of one request, or of several after each other. */
export interface Trial {
  readonly answers: readonly Answered[];
  readonly calls: readonly Row[];
  readonly quarantine: readonly Row[];
  /** How many messages were parked, although no table was down. */
  readonly parked: number;
  readonly lines: readonly string[];
  readonly polluted: readonly string[];
}

/** A row of quarantine with its body as it was before it was compressed. */
const withBody = (row: Row): Row => ({ ...row, body: bodyOf(row as QuarantineEntry) });

const nothing = (): void => undefined;

/** The receiver as deployed: one warm process over tables that are empty before each trial. */
export const createReceiver = (deployment: 'open' | 'secret') => {
  let lines: string[] = [];
  let tables = memoryDynamodb(nothing);
  const world = createEnvironment((request) => tables.handle(request), {
    startedAt: '2026-11-20T06:00:00Z',
    accounts,
    onLine: (line) => lines.push(line),
    env: deployment === 'secret' ? { CALLBACK_SECRET_SHA256: callbackSecretHash(callbackSecret) } : {},
  });
  const instance = world.start();

  const answerOf = async (event: APIGatewayProxyEventV2): Promise<Answered> => {
    try {
      const outcome = await instance.receive(event);
      return outcome.kind === 'answered' ? { answer: outcome.answer } : { thrown: new Error('The process crashed') };
    } catch (thrown) {
      return { thrown };
    }
  };

  return {
    async receive(...events: readonly APIGatewayProxyEventV2[]) {
      lines = [];
      tables = memoryDynamodb(nothing);
      const answers: Answered[] = [];
      for (const event of events) answers.push(await answerOf(event));
      const found = pollutedPrototypes();
      const waiting = world.parking.messages();
      for (const { receipt } of world.parking.receive(waiting.length)) world.parking.remove(receipt ?? '');
      return {
        answers,
        calls: tables.items('calls').map(unmarshalled),
        quarantine: tables.items('quarantine').map(unmarshalled).map(withBody),
        parked: waiting.length,
        lines,
        polluted: found,
      };
    },
  };
};
