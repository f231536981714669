import { between, chance, digitsOf, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { Field, JsonNode } from './node.ts';
import { oddText } from './odd-texts.ts';

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
