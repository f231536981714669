import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { between, chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { httpApiEvent } from '../../support/http-api-event.ts';
import { secrets } from './accounts.ts';
import { oddLength, oddText } from './odd-values.ts';

/** A request before API Gateway has made an event of it. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Buffer | undefined;
  /** What stands in the address where the callback secret belongs. */
  readonly secret?: string | undefined;
  /** How the body reaches the function, if not as API Gateway does it. */
  readonly handedOver?: 'as-text' | 'as-base64' | 'text-called-base64' | 'base64-called-text' | undefined;
}

const handed: Readonly<
  Record<NonNullable<Posted['handedOver']>, (body: Buffer) => Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>>
> = {
  'as-text': (body) => ({ body: body.toString(), isBase64Encoded: false }),
  'as-base64': (body) => ({ body: body.toString('base64'), isBase64Encoded: true }),
  'text-called-base64': (body) => ({ body: body.toString(), isBase64Encoded: true }),
  'base64-called-text': (body) => ({ body: body.toString('base64'), isBase64Encoded: false }),
};

/** API Gateway hands over text, JSON, XML and JavaScript as text, and everything else as base64. */
const isText = (contentType: string): boolean => /^(text\/|application\/(json|xml|javascript))/.test(contentType);

/** The event of a request. */
export const eventOf = ({ headers, query, body, secret, handedOver }: Posted): APIGatewayProxyEventV2 => {
  const event = httpApiEvent({ headers, query, ...(secret !== undefined && { secret }) });
  if (body === undefined) return { ...event, isBase64Encoded: false };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { ...event, ...handed[handedOver ?? (isText(type) ? 'as-text' : 'as-base64')](body) };
};

/** How many bytes were posted. */
export const bytesOf = ({ body, query }: Posted): number => (body?.byteLength ?? 0) + query.length;

/** A way, usual or not, of putting a JSON text into a request. */
export interface Carrier {
  readonly name: string;
  readonly carry: (random: Random, json: string) => Posted;
}

/** The type of forms. */
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
/** The type of JSON. */
const jsonType = { 'content-type': 'application/json' };

/** As in an address; `encodeURIComponent` throws for a text that is none. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
/** A form of this text. */
export const form = (body: string, query = ''): Posted => ({ headers: formType, query, body: Buffer.from(body) });
/** Any account's key, or a stranger's. */
const key = (random: Random): string => pick(random, [...secrets, 'stranger']);

/** By specification and in practice. */
export const usualCarriers: readonly Carrier[] = [
  { name: 'form', carry: (_, json) => form(`data=${encoded(json)}`) },
  { name: 'plus-form', carry: (_, json) => form(new URLSearchParams({ data: json }).toString()) },
  { name: 'json', carry: (_, json) => ({ headers: jsonType, query: '', body: Buffer.from(json) }) },
  { name: 'query', carry: (_, json) => ({ headers: formType, query: `data=${encoded(json)}`, body: undefined }) },
  { name: 'key-beside', carry: (random, json) => form(`data=${encoded(json)}&Apikey=${encoded(key(random))}`) },
  { name: 'tenant', carry: (_, json) => form(`data=${encoded(json)}`, 'tenant=north-12') },
];

const everyByte = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/../g, (byte) => `%${byte}`);

const brokenPercents = [
  '%',
  '%2',
  '%zz',
  '%u0041',
  '%C0%AF',
  '%ED%A0%80',
  '%F8%88%80%80%80',
  '%FF',
  '%00',
  '%E2%82',
  '%25%32%32',
];

const fieldsBefore = (random: Random): string =>
  Array.from({ length: oddLength(random) / 4 }, (_, index) => `f${index}=${index}`).join('&');

const nestedNames = [
  'data[a]',
  'a[b][c]',
  'data[]',
  'data[__proto__]',
  '__proto__[isAdmin]',
  'constructor[prototype][isAdmin]',
  '__proto__',
  'data.x',
  'data%5B0%5D',
  'toString',
  'Apikey[]',
];

/** As a broken, careless or ill-meaning client does it. */
export const oddCarriers: readonly Carrier[] = [
  { name: 'every-byte-encoded', carry: (_, json) => form(`data=${everyByte(json)}`) },
  {
    name: 'lower-case-encoded',
    carry: (_, json) => form(`data=${encoded(json).replace(/%../g, (byte) => byte.toLowerCase())}`),
  },
  { name: 'encoded-twice', carry: (_, json) => form(`data=${encoded(encoded(json))}`) },
  { name: 'not-encoded', carry: (_, json) => form(`data=${json}`) },
  { name: 'half-encoded', carry: (_, json) => form(`data=${json.replaceAll('"', '%22')}`) },
  {
    name: 'broken-percent',
    carry: (random, json) => {
      const text = encoded(json);
      const at = between(random, 0, text.length);
      return form(`data=${text.slice(0, at)}${pick(random, brokenPercents)}${text.slice(at)}`);
    },
  },
  {
    name: 'repeated',
    carry: (random, json) => form(`data=${encoded(json)}&data=${encoded(pick(random, [json, '', oddText(random)]))}`),
  },
  { name: 'in-both', carry: (_, json) => form(`data=${encoded(json)}`, `data=${encoded(json)}`) },
  { name: 'two-cases', carry: (_, json) => form(`data=${encoded(json)}&Data=${encoded(json)}`) },
  { name: 'other-case', carry: (random, json) => form(`${pick(random, ['DATA', 'Data', 'dAtA'])}=${encoded(json)}`) },
  { name: 'other-name', carry: (random, json) => form(`${pick(random, nestedNames)}=${encoded(json)}`) },
  {
    name: 'other-name-beside',
    carry: (random, json) =>
      form(`${pick(random, nestedNames)}=1&data=${encoded(json)}&${pick(random, nestedNames)}=x`),
  },
  { name: 'many-fields', carry: (random, json) => form(`${fieldsBefore(random)}&data=${encoded(json)}`) },
  { name: 'many-fields-after', carry: (random, json) => form(`data=${encoded(json)}&${fieldsBefore(random)}`) },
  { name: 'without-data', carry: (random) => form(`x=${encoded(oddText(random))}&Apikey=${encoded(key(random))}`) },
  { name: 'empty-data', carry: (random) => form(pick(random, ['data=', 'data', 'data=%20', '&data=&', 'data=+'])) },
  { name: 'semicolons', carry: (_, json) => form(`a=1;data=${encoded(json)}`) },
  {
    name: 'key-many-times',
    carry: (random, json) =>
      form(`data=${encoded(json)}${`&Apikey=${encoded(key(random))}`.repeat(between(random, 1, 50))}`),
  },
  {
    name: 'key-in-query',
    carry: (random, json) =>
      form(`data=${encoded(json)}`, `Apikey=${encoded(key(random))}&apikey=${encoded(key(random))}`),
  },
  {
    name: 'odd-query',
    carry: (random, json) =>
      form(`data=${encoded(json)}`, `${encoded(oddText(random)).slice(0, 8_000)}=%&%=&&__proto__=1`),
  },
  {
    name: 'form-in-json-type',
    carry: (_, json) => ({ headers: jsonType, query: '', body: Buffer.from(`data=${encoded(json)}`) }),
  },
  { name: 'json-in-form-type', carry: (_, json) => form(json) },
  { name: 'utf-16', carry: (_, json) => ({ headers: jsonType, query: '', body: Buffer.from(json, 'utf16le') }) },
  { name: 'latin-1', carry: (_, json) => ({ headers: jsonType, query: '', body: Buffer.from(json, 'latin1') }) },
  {
    name: 'padded',
    carry: (random, json) => {
      const length = chance(random, 0.05) ? between(random, 200_000, 800_000) : between(random, 0, 40_000);
      return form(`data=${encoded(json)}&padding=${pick(random, ['x', '%20', '+', '%']).repeat(length / 3)}`);
    },
  },
];

/** A post that can be made of any size. */
export interface GrowingPost {
  readonly name: string;
  /** Of about so many bytes. */
  readonly of: (bytes: number) => Posted;
  /** The power with which its time may grow, if not in proportion. */
  readonly mostExponent?: number;
}

/** A post whose body is this JSON text. */
export const jsonPost = (text: string): Posted => ({
  headers: { 'content-type': 'application/json' },
  query: '',
  body: Buffer.from(text),
});
