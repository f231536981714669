import { between, chance, digitsOf, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { secrets } from './accounts.ts';
import type { Field, JsonNode } from './json.ts';

/** Lengths: nearly all short, some long, a few very long. */
export const oddLength = (random: Random): number =>
  pick(random, chance(random, 0.01) ? [20_000, 100_000, 200_000] : [1, 2, 30, 101, 256, 600, 2_000]);

const blanks = ['', ' ', '\t', 'None', 'NONE', 'null', 'NULL', '-', ' - ', '\u00a0', '\u200b', '\ufeff', '"" ', '""'];
const symbols = [
  '😀',
  '👩‍👩‍👧',
  '\u202eabc',
  'é',
  'e\u0301',
  '日本語',
  '\u0000',
  '\u0001',
  '\u001b[31m',
  '\u2028',
  '\ufffe',
  '\uffff',
];
const surrogates = ['\ud800', '\udc00', 'a\ud83d', '\udc00\ud800'];
const dates = [
  '0000-00-00 00:00:00',
  '0001-01-01 00:00:00',
  '0100-01-01T00:00:00+23:59',
  '9999-12-31 23:59:59',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '275761-01-01 00:00:00',
  '2026-02-30 10:00:00',
  '2026-11-20 24:00:00',
  '2026-11-20 11:00:60',
  '2026:11:20 11:00:00',
  '2026-11-20 11:00:00.123456789Z',
  '2026-03-29 01:30:00',
  '1e3',
  'Invalid Date',
];
const durations = [
  '-00:00:01',
  '-1',
  '00:00:-1',
  '99:99:99',
  '9999:59:59',
  '1e9',
  '0x10',
  '00:61',
  'NaN',
  '0.0001',
  '١٢',
];
const words = [
  'Answered',
  'NotAnswered',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'true',
  '[object Object]',
];
const injections = [
  '<script>alert(1)</script>',
  "'; DROP TABLE calls; --",
  '$' + '{jndi:ldap://x}',
  '{{7*7}}',
  '../../etc/passwd',
  'a\r\nSet-Cookie: x=1',
  '%00%0a',
  '{"a":1}',
  'data=1&Apikey=2',
  'monitorUCID',
];
const links = [' -> ', '->', ' ->', '-> ', ',', ',https://r.example/', ' -> -> '];

/** Kinds of texts that somebody might not have thought of. */
const textKinds: readonly ((random: Random) => string)[] = [
  (random) => pick(random, blanks),
  (random) => pick(random, symbols).repeat(between(random, 1, 4)),
  (random) => pick(random, symbols).repeat(oddLength(random)),
  (random) => `x${pick(random, surrogates)}y`,
  (random) => pick(random, surrogates),
  (random) => pick(random, dates),
  (random) => pick(random, durations),
  (random) => pick(random, words),
  (random) => pick(random, injections),
  (random) => digitsOf(random, pick(random, [1, 14, 17, 20, 21, 99, 100, 101, 255, 256, 2_000])),
  (random) => pick(random, ['x', ' ', '"', '\\', '0', 'é']).repeat(oddLength(random)),
  (random) => `${digitsOf(random, 4)}${pick(random, links)}`.repeat(between(random, 1, 60)),
  (random) => `${digitsOf(random, 2)}${pick(random, links)}`.repeat(Math.ceil(oddLength(random) / 4)),
  (random) => `https://r.example/${digitsOf(random, 5)}.mp3,`.repeat(between(random, 1, 30)),
  (random) => String.fromCharCode(between(random, 0, 0xffff), between(random, 0, 0xffff), between(random, 0, 0xffff)),
  (random) => `heard the key ${pick(random, secrets)} today`,
  (random) => `https://r.example/?apikey=${encodeURIComponent(pick(random, secrets))}&x=1`,
  (random) => JSON.stringify({ Apikey: pick(random, secrets), note: JSON.stringify({ text: pick(random, secrets) }) }),
];

/** A text that somebody might not have thought of. */
export const oddText = (random: Random): string => pick(random, textKinds)(random);

/** Names of which a careless copy, call or conversion makes something else than a field. */
export const trapNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
  'hasOwnProperty',
  '__defineGetter__',
  'get',
  'raw',
] as const;

const numbers = [
  '0',
  '-0',
  '-1',
  '1e400',
  '-1e400',
  '1E+2',
  '0.1e-7',
  '1.0',
  '9007199254740993',
  '123456789012345678901234567890',
];

const deepest = 10_000;

/** Brackets in brackets; mostly within what is taken, or just beyond. */
const nested = (random: Random): JsonNode => {
  const depth = chance(random, 0.1) ? between(random, 1_000, deepest) : between(random, 1, 25);
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ]);
  return { raw: `${open.repeat(depth)}${pick(random, ['1', '"x"', 'null', '[]', '{}'])}${close.repeat(depth)}` };
};

const trap = (random: Random): Field => [
  pick(random, chance(random, 0.3) ? trapNames.slice(0, 3) : trapNames.slice(3)),
  chance(random, 0.5) ? oddText(random) : { fields: [['isAdmin', { raw: 'true' }]] },
];

/** Kinds of values that somebody might not have thought of. */
const kinds: readonly ((random: Random) => JsonNode)[] = [
  (random) => ({ raw: pick(random, numbers) }),
  (random) => ({ raw: digitsOf(random, pick(random, [1, 15, 16, 17, 19, 20, 38, 39, 400, 2_000])) }),
  (random) => ({ raw: `${digitsOf(random, 18)}.${digitsOf(random, 18)}` }),
  (random) => ({ raw: pick(random, ['true', 'false', 'null', '[]', '{}', '[[]]', '""', '[null]', '{"":""}']) }),
  nested,
  (random) => Array.from({ length: between(random, 0, 5) }, () => oddText(random)),
  (random) => ({ fields: Array.from({ length: between(random, 1, 4) }, () => trap(random)) }),
  (random) => [{ fields: [trap(random)] }],
  (random) => ({ fields: [[oddText(random), oddText(random)]] }),
  (random) => ({ fields: [['Apikey', oddText(random)]] }),
];

/** A value that somebody might not have thought of; as often as not a text. */
export const oddNode = (random: Random): JsonNode =>
  chance(random, 0.6) ? oddText(random) : pick(random, kinds)(random);
