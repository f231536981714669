import fc from 'fast-check';
import { randomDigits, seededRandom } from '../../../sandbox/simulator/random.ts';
import { anyCharacter, weighted } from '../../support/arbitraries.ts';
import { type Field, type JsonNode, objectOf } from './json-nodes.ts';
import { secrets } from './receiver.ts';

/** Lengths: nearly all short, some long, a few very long. */
export const oddLength: fc.Arbitrary<number> = weighted(
  [99, fc.constantFrom(1, 2, 30, 101, 256, 600, 2_000)],
  [1, fc.constantFrom(20_000, 100_000, 200_000)],
);

/** Digits of one of these lengths, never beginning with zero. */
export const digits = (...lengths: readonly number[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...lengths), fc.nat()).map(([length, seed]) => randomDigits(seededRandom(seed), length));

const repeated = (pieces: readonly string[], counts: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...pieces), counts).map(([piece, count]) => piece.repeat(count));

const upTo = (max: number) => fc.integer({ min: 1, max });

const blanks = ['', ' ', '\t', 'None', 'NONE', 'null', 'NULL', '-', ' - ', '\u00a0', '\u200b', '\ufeff', '"" ', '""'];
const symbols = [
  ...['😀', '👩‍👩‍👧', '\u202eabc', 'é', 'e\u0301', '日本語', '\u0000', '\u0001', '\u001b[31m', '\u2028', '\ufffe'],
  '\uffff',
];
const surrogates = ['\ud800', '\udc00', 'a\ud83d', '\udc00\ud800'].flatMap((text) => [text, `x${text}y`]);
const dates = [
  ...['0000-00-00 00:00:00', '0001-01-01 00:00:00', '0100-01-01T00:00:00+23:59', '9999-12-31 23:59:59'],
  ...['9999-12-31T23:59:59-14:00', '+275760-09-13T00:00:00Z', '275761-01-01 00:00:00', '2026-02-30 10:00:00'],
  ...['2026-11-20 24:00:00', '2026-11-20 11:00:60', '2026:11:20 11:00:00', '2026-11-20 11:00:00.123456789Z'],
  ...['2026-03-29 01:30:00', '1e3', 'Invalid Date'],
];
const durations = '-00:00:01 -1 00:00:-1 99:99:99 9999:59:59 1e9 0x10 00:61 NaN 0.0001 ١٢'.split(' ');
const words = 'Answered NotAnswered constructor __proto__ toString hasOwnProperty true [object monitorUCID'.split(' ');
const injections = [
  '<script>alert(1)</script>',
  "'; DROP TABLE calls; --",
  '$' + '{jndi:ldap://x}',
  '{{7*7}}',
  '../../etc/passwd',
  ...['a\r\nSet-Cookie: x=1', '%00%0a', '{"a":1}', 'data=1&Apikey=2'],
];
const links = [' -> ', '->', ' ->', '-> ', ',', ',https://r.example/', ' -> -> '];

const linked = (length: number, counts: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc
    .tuple(digits(length), fc.constantFrom(...links), counts)
    .map(([text, link, count]) => `${text}${link}`.repeat(count));

const secret = fc.constantFrom(...secrets);

/** Texts that somebody might not have thought of. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  ...[blanks, surrogates, dates, durations, words, injections].map((texts) => fc.constantFrom(...texts)),
  repeated(symbols, upTo(4)),
  repeated(symbols, oddLength),
  // A million do not fit into a row, even compressed.
  weighted([99, digits(1, 14, 17, 20, 21, 99, 100, 101, 255, 256, 2_000)], [1, digits(1_000_000)]),
  repeated(['x', ' ', '"', '\\', '0', 'é'], oddLength),
  linked(4, upTo(60)),
  linked(
    2,
    oddLength.map((length) => Math.ceil(length / 4)),
  ),
  digits(5).chain((number) => repeated([`https://r.example/${number}.mp3,`], upTo(30))),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.array(fc.nat(0xffff), { minLength: 3, maxLength: 3 }).map((codes) => String.fromCharCode(...codes)),
  secret.map((key) => `heard the key ${key} today`),
  secret.map((key) => `https://r.example/?apikey=${encodeURIComponent(key)}&x=1`),
  fc
    .tuple(secret, secret)
    .map(([key, inner]) => JSON.stringify({ Apikey: key, note: JSON.stringify({ text: inner }) })),
);

/** Names that a careless copy, call or conversion treats as something else than a field. */
export const trapNames =
  '__proto__ constructor prototype toString valueOf toJSON then length hasOwnProperty __defineGetter__ get raw'.split(
    ' ',
  );

const raws = [
  ...'0 -0 -1 1e400 -1e400 1E+2 0.1e-7 1.0 9007199254740993 123456789012345678901234567890'.split(' '),
  ...['true', 'false', 'null', '[]', '{}', '[[]]', '""', '[null]', '{"":""}'],
];

/** Brackets in brackets: mostly within the limit or just beyond, some very deep. */
const nested: fc.Arbitrary<string> = fc
  .record({
    depth: weighted([7, upTo(25)], [3, fc.integer({ min: 1_000, max: 10_000 })]),
    brackets: fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"a":', '}]']),
    inside: fc.constantFrom('1', '"x"', 'null', '[]', '{}'),
  })
  .map(
    ({ depth, brackets: [open = '', close = ''], inside }) => `${open.repeat(depth)}${inside}${close.repeat(depth)}`,
  );

const isAdmin = objectOf(['isAdmin', { raw: 'true' }]);

/** Names that pollute prototypes come as often as all others together. */
const trap: fc.Arbitrary<Field> = fc.tuple(
  fc.oneof(fc.constantFrom(...trapNames.slice(0, 3)), fc.constantFrom(...trapNames.slice(3))),
  fc.oneof<[fc.Arbitrary<JsonNode>, fc.Arbitrary<JsonNode>]>(oddText, fc.constant(isAdmin)),
);

const raw = (texts: fc.Arbitrary<string>): fc.Arbitrary<JsonNode> => texts.map((text) => ({ raw: text }));

/** Values that somebody might not have thought of; most are texts. */
export const oddNode: fc.Arbitrary<JsonNode> = weighted<JsonNode>(
  [15, oddText],
  [2, raw(fc.constantFrom(...raws))],
  [1, raw(digits(1, 15, 16, 17, 19, 20, 38, 39, 400, 2_000))],
  [1, raw(fc.tuple(digits(18), digits(18)).map((parts) => parts.join('.')))],
  [2, raw(nested)],
  [1, fc.array(oddText, { maxLength: 5 })],
  [1, fc.array(trap, { minLength: 1, maxLength: 4 }).map((fields) => ({ fields }))],
  [1, trap.map((field) => [objectOf(field)])],
  [1, fc.tuple(oddText, oddText).map((field) => objectOf(field))],
  [1, oddText.map((key) => objectOf(['Apikey', key]))],
);
