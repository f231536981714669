import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { digitsOf, seededRandom } from '../../../sandbox/simulator/random.ts';
import { anyCharacter, weighted } from '../../support/arbitraries.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { type Field, type JsonNode, type Kind, kindOf, kindWith, objectOf } from './mutation.ts';
import { secrets } from './receiver.ts';

/** Lengths: nearly all short, some long, a few very long. */
export const oddLength: fc.Arbitrary<number> = weighted(
  [99, fc.constantFrom(1, 2, 30, 101, 256, 600, 2_000)],
  [1, fc.constantFrom(20_000, 100_000, 200_000)],
);

/** Digits of one of these lengths, never beginning with zero. */
export const digits = (...lengths: readonly number[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...lengths), fc.nat()).map(([length, seed]) => digitsOf(seededRandom(seed), length));

const repeated = (pieces: readonly string[], counts: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...pieces), counts).map(([piece, count]) => piece.repeat(count));

const blanks = ['', ' ', '\t', 'None', 'NONE', 'null', 'NULL', '-', ' - ', '\u00a0', '\u200b', '\ufeff', '"" ', '""'];
const symbols = [
  ...['😀', '👩‍👩‍👧', '\u202eabc', 'é', 'e\u0301', '日本語', '\u0000', '\u0001', '\u001b[31m', '\u2028', '\ufffe'],
  '\uffff',
];
const surrogates = ['\ud800', '\udc00', 'a\ud83d', '\udc00\ud800'];
const dates = [
  ...['0000-00-00 00:00:00', '0001-01-01 00:00:00', '0100-01-01T00:00:00+23:59', '9999-12-31 23:59:59'],
  ...['9999-12-31T23:59:59-14:00', '+275760-09-13T00:00:00Z', '275761-01-01 00:00:00', '2026-02-30 10:00:00'],
  ...['2026-11-20 24:00:00', '2026-11-20 11:00:60', '2026:11:20 11:00:00', '2026-11-20 11:00:00.123456789Z'],
  ...['2026-03-29 01:30:00', '1e3', 'Invalid Date'],
];
const durations = '-00:00:01 -1 00:00:-1 99:99:99 9999:59:59 1e9 0x10 00:61 NaN 0.0001 ١٢'.split(' ');
const words = [
  ...['Answered', 'NotAnswered', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'true', '[object Object]'],
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

const linked = (length: number, counts: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc
    .tuple(digits(length), fc.constantFrom(...links), counts)
    .map(([text, link, count]) => `${text}${link}`.repeat(count));

const secret = fc.constantFrom(...secrets);

/** Texts that somebody might not have thought of. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...blanks),
  repeated(symbols, fc.integer({ min: 1, max: 4 })),
  repeated(symbols, oddLength),
  fc.constantFrom(...surrogates.map((text) => `x${text}y`)),
  fc.constantFrom(...surrogates),
  fc.constantFrom(...dates),
  fc.constantFrom(...durations),
  fc.constantFrom(...words),
  fc.constantFrom(...injections),
  digits(1, 14, 17, 20, 21, 99, 100, 101, 255, 256, 2_000),
  repeated(['x', ' ', '"', '\\', '0', 'é'], oddLength),
  linked(4, fc.integer({ min: 1, max: 60 })),
  linked(
    2,
    oddLength.map((length) => Math.ceil(length / 4)),
  ),
  digits(5).chain((number) => repeated([`https://r.example/${number}.mp3,`], fc.integer({ min: 1, max: 30 }))),
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

const numbers = '0 -0 -1 1e400 -1e400 1E+2 0.1e-7 1.0 9007199254740993 123456789012345678901234567890'.split(' ');

/** Brackets in brackets: mostly within the limit or just beyond, some very deep. */
const nested: fc.Arbitrary<JsonNode> = fc
  .record({
    depth: weighted([7, fc.integer({ min: 1, max: 25 })], [3, fc.integer({ min: 1_000, max: 10_000 })]),
    brackets: fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"a":', '}]']),
    inside: fc.constantFrom('1', '"x"', 'null', '[]', '{}'),
  })
  .map(({ depth, brackets: [open = '', close = ''], inside }) => ({
    raw: `${open.repeat(depth)}${inside}${close.repeat(depth)}`,
  }));

const isAdmin = objectOf(['isAdmin', { raw: 'true' }]);

/** Names that pollute prototypes come as often as all others together. */
const trap: fc.Arbitrary<Field> = fc.tuple(
  fc.oneof(fc.constantFrom(...trapNames.slice(0, 3)), fc.constantFrom(...trapNames.slice(3))),
  fc.oneof<[fc.Arbitrary<JsonNode>, fc.Arbitrary<JsonNode>]>(oddText, fc.constant(isAdmin)),
);

const raw = (texts: fc.Arbitrary<string>): fc.Arbitrary<JsonNode> => texts.map((text) => ({ raw: text }));
const object = (fields: fc.Arbitrary<readonly Field[]>): fc.Arbitrary<JsonNode> =>
  fields.map((list) => ({ fields: list }));

/** Values that somebody might not have thought of; most are texts. */
export const oddNode: fc.Arbitrary<JsonNode> = weighted<JsonNode>(
  [15, oddText],
  [1, raw(fc.constantFrom(...numbers))],
  [1, raw(digits(1, 15, 16, 17, 19, 20, 38, 39, 400, 2_000))],
  [1, raw(fc.tuple(digits(18), digits(18)).map((parts) => parts.join('.')))],
  [1, raw(fc.constantFrom('true', 'false', 'null', '[]', '{}', '[[]]', '""', '[null]', '{"":""}'))],
  [2, nested],
  [1, fc.array(oddText, { maxLength: 5 })],
  [1, object(fc.array(trap, { minLength: 1, maxLength: 4 }))],
  [1, object(trap.map((field) => [field])).map((inner) => [inner])],
  [1, object(fc.tuple(oddText, oddText).map((field) => [field]))],
  [1, object(oddText.map((key) => [['Apikey', key]]))],
);

/** A request before API Gateway has made an event of it. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Buffer | undefined;
  /** What the address has in place of the callback secret. */
  readonly secret?: string | undefined;
  /** How the body reaches the function, if not as API Gateway does it. */
  readonly bodyEncoding?: keyof typeof bodyEncodings | undefined;
}

const bodyEncodings = {
  'as-text': ['utf8', false],
  'as-base64': ['base64', true],
  'text-called-base64': ['utf8', true],
  'base64-called-text': ['base64', false],
} as const;

/** API Gateway passes text, JSON, XML and JavaScript as text, and everything else as base64. */
const isText = (headers: Posted['headers']): boolean => {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^(text\/|application\/(json|xml|javascript))/.test(type);
};

export const eventOf = ({ headers, query, body, secret, bodyEncoding }: Posted): APIGatewayProxyEventV2 => {
  const event = httpApiEvent({ headers, query, ...(secret !== undefined && { secret }) });
  if (body === undefined) return { ...event, isBase64Encoded: false };
  const [encoding, isBase64Encoded] = bodyEncodings[bodyEncoding ?? (isText(headers) ? 'as-text' : 'as-base64')];
  return { ...event, body: body.toString(encoding), isBase64Encoded };
};

/** The body as text. */
export const bodyTextOf = ({ headers, body = Buffer.alloc(0) }: Posted): string =>
  !isText(headers) && /charset=iso-8859-1/.test(receivedTypeOf(headers))
    ? new TextDecoder('windows-1252').decode(body).replaceAll('\0', '')
    : textOf(body);

/** The content type that the function sees: of two, the last. */
export const receivedTypeOf = (headers: Posted['headers']): string =>
  Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

/** Bytes as text, without zeros. */
export const textOf = (bytes: Buffer): string => bytes.toString().replaceAll('\0', '');

export const bytesOf = ({ body, query }: Posted): number => (body?.byteLength ?? 0) + query.length;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };

export const formPost = (body: string, query = ''): Posted => ({ headers: formType, query, body: Buffer.from(body) });

export const jsonPost = (text: string | Buffer): Posted => ({ headers: jsonType, query: '', body: Buffer.from(text) });

/** As in an address. `encodeURIComponent` throws for lone surrogates. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

type Carrier = Kind<string, Posted>;

const key = fc.constantFrom(...secrets, 'unknown').map(encoded);

/** By specification and in practice. */
export const usualCarriers: readonly Carrier[] = [
  kindOf('form', (json) => formPost(`data=${encoded(json)}`)),
  kindOf('plus-form', (json) => formPost(new URLSearchParams({ data: json }).toString())),
  kindOf('json', (json) => jsonPost(json)),
  kindOf('query', (json) => ({ headers: formType, query: `data=${encoded(json)}`, body: undefined })),
  kindWith('key-beside', key, (json, name) => formPost(`data=${encoded(json)}&Apikey=${name}`)),
  kindOf('tenant', (json) => formPost(`data=${encoded(json)}`, 'tenant=north-12')),
];

const everyByte = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/../g, (byte) => `%${byte}`);

const brokenPercents = '% %2 %zz %u0041 %C0%AF %ED%A0%80 %F8%88%80%80%80 %FF %00 %E2%82 %25%32%32'.split(' ');

const manyFields = (length: number): string =>
  Array.from({ length: length / 4 }, (_, index) => `f${index}=${index}`).join('&');

const nestedNames =
  'data[a] a[b][c] data[] data[__proto__] __proto__[isAdmin] constructor[prototype][isAdmin] __proto__ data.x data%5B0%5D toString Apikey[]'.split(
    ' ',
  );

const nestedName = fc.constantFrom(...nestedNames);

/** As a broken, careless or malicious client does it. */
export const oddCarriers: readonly Carrier[] = [
  kindOf('every-byte-encoded', (json) => formPost(`data=${everyByte(json)}`)),
  kindOf('lower-case-encoded', (json) =>
    formPost(`data=${encoded(json).replace(/%../g, (byte) => byte.toLowerCase())}`),
  ),
  kindOf('encoded-twice', (json) => formPost(`data=${encoded(encoded(json))}`)),
  kindOf('not-encoded', (json) => formPost(`data=${json}`)),
  kindOf('half-encoded', (json) => formPost(`data=${json.replaceAll('"', '%22')}`)),
  kindWith('broken-percent', fc.constantFrom(...brokenPercents), (json, piece, indexOf) => {
    const text = encoded(json);
    const at = indexOf(text.length + 1);
    return formPost(`data=${text.slice(0, at)}${piece}${text.slice(at)}`);
  }),
  kindOf('repeated', (json) => formPost(`data=${encoded(json)}&data=${encoded(json)}`)),
  kindWith('repeated-otherwise', fc.oneof(fc.constant(''), oddText), (json, other) =>
    formPost(`data=${encoded(json)}&data=${encoded(other)}`),
  ),
  kindOf('in-both', (json) => formPost(`data=${encoded(json)}`, `data=${encoded(json)}`)),
  kindOf('two-cases', (json) => formPost(`data=${encoded(json)}&Data=${encoded(json)}`)),
  kindWith('other-case', fc.constantFrom('DATA', 'Data', 'dAtA'), (json, name) => formPost(`${name}=${encoded(json)}`)),
  kindWith('other-name', nestedName, (json, name) => formPost(`${name}=${encoded(json)}`)),
  kindWith('other-name-beside', fc.tuple(nestedName, nestedName), (json, [one, other]) =>
    formPost(`${one}=1&data=${encoded(json)}&${other}=x`),
  ),
  kindWith('many-fields', oddLength, (json, length) => formPost(`${manyFields(length)}&data=${encoded(json)}`)),
  kindWith('many-fields-after', oddLength, (json, length) => formPost(`data=${encoded(json)}&${manyFields(length)}`)),
  kindWith('without-data', fc.tuple(oddText, key), (_, [text, name]) => formPost(`x=${encoded(text)}&Apikey=${name}`)),
  kindWith('empty-data', fc.constantFrom('data=', 'data', 'data=%20', '&data=&', 'data=+'), (_, body) =>
    formPost(body),
  ),
  kindOf('semicolons', (json) => formPost(`a=1;data=${encoded(json)}`)),
  kindWith('key-many-times', fc.tuple(key, fc.integer({ min: 1, max: 50 })), (json, [name, count]) =>
    formPost(`data=${encoded(json)}${`&Apikey=${name}`.repeat(count)}`),
  ),
  kindWith('key-in-query', fc.tuple(key, key), (json, [one, other]) =>
    formPost(`data=${encoded(json)}`, `Apikey=${one}&apikey=${other}`),
  ),
  kindWith('odd-query', oddText, (json, text) =>
    formPost(`data=${encoded(json)}`, `${encoded(text).slice(0, 8_000)}=%&%=&&__proto__=1`),
  ),
  kindOf('form-as-json', (json) => jsonPost(`data=${encoded(json)}`)),
  kindOf('json-as-form', (json) => formPost(json)),
  kindOf('utf-16', (json) => jsonPost(Buffer.from(json, 'utf16le'))),
  kindOf('latin-1', (json) => jsonPost(Buffer.from(json, 'latin1'))),
  kindWith(
    'padded',
    fc.tuple(
      fc.constantFrom('x', '%20', '+', '%'),
      weighted([19, fc.nat(40_000)], [1, fc.integer({ min: 200_000, max: 800_000 })]),
    ),
    (json, [piece, length]) => formPost(`data=${encoded(json)}&padding=${piece.repeat(length / 3)}`),
  ),
];
