import { between, chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { oddLength, oddText } from '../json/odd-texts.ts';
import { encoded, form, type HostileCarrier, jsonType, key } from './usual-carriers.ts';

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
export const oddCarriers: readonly HostileCarrier[] = [
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
