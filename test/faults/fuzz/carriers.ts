import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { weighted } from '../../support/arbitraries.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { type Kind, kindOf, kindWith } from './mutation.ts';
import { oddLength, oddText } from './odd-values.ts';
import { secrets } from './stored-values.ts';

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
