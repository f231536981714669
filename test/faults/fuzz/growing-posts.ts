import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { formPost as form, jsonPost as json, type Posted } from './carriers.ts';

export interface GrowingPost {
  readonly name: string;
  readonly of: (bytes: number) => Posted;
  /** The power with which its time may grow, if not in proportion. */
  readonly maxExponent?: number;
}

const ownCall = { monitorUCID: '1', Status: 'Answered', Apikey: 'demo-key' };

const list = (
  name: string,
  recordAt: (index: number) => unknown,
  first: readonly unknown[] = [ownCall],
): GrowingPost => ({
  name,
  of: (count) => json(JSON.stringify([...first, ...Array.from({ length: count }, (_, index) => recordAt(index))])),
});

/** Lists grow by the number of records: each is a write. */
export const growingLists: readonly GrowingPost[] = [
  list('records of different calls', (index) => ({ ...ownCall, monitorUCID: String(index) }), []),
  // Each is compared with all before it; a post may have 500.
  { ...list('records of one call', (index) => ({ ...ownCall, Comments: `c${index}` }), []), maxExponent: 2.2 },
  list('participants', (index) => ({ ...specificationParticipant, CallID: index })),
  list('unrecognised records', (index) => index),
];

const summary = (more: object): Posted => json(JSON.stringify({ ...specificationSummary, ...more }));

const field = (name: string, piece: string): GrowingPost => ({
  name: `${name} of ${JSON.stringify(piece)}`,
  of: (bytes) => summary({ [name]: piece.repeat(bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2)) }),
});

/** Broken JSON with one piece of text repeated. It is quarantined with its keys redacted. */
const broken = (piece: string): GrowingPost => ({
  name: `broken JSON of ${JSON.stringify(piece)}`,
  of: (bytes) => json(`{"Apikey":"demo-key",${piece.repeat(bytes / piece.length)}`),
});

/** A body that is not read. It is searched for a key, and quarantined because it has one. */
const unread = (piece: string): GrowingPost => ({
  name: `a text of ${JSON.stringify(piece)} that is not read`,
  of: (bytes) => ({
    headers: { 'content-type': 'text/plain' },
    query: '',
    body: Buffer.from(`Apikey=demo-key&${piece.repeat(bytes / piece.length)}`),
  }),
});

const times = (count: number, entry: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(separator);

/** A call with more in it. */
const within = (name: string, fields: (bytes: number) => string): GrowingPost => ({
  name,
  of: (bytes) => json(JSON.stringify(ownCall).replace(/\}$/, () => `,${fields(bytes)}}`)),
});

const pieces = [
  ...['x', ' ', '\\', '"', '%', '%5C', '+', '-', ',', '->', ' -> ', ',h', 'https://', ' ->x', '\u00a0', '😀', '_'],
  ...['0', ':', 'apikey', 'apikey=', 'apikey:"', 'api_key ', '%2525'],
];

/** Posts that give every part of the receiver much work. */
export const growingPosts: readonly GrowingPost[] = [
  ...pieces.map((piece) => field('Comments', piece)),
  ...[' -> x', 'https://r.example/1,', ', ', ' -> '].map((piece) => field('AudioFile', piece)),
  ...['1001 -> ', '> ', 'é', '\\"'].map((piece) => field('AgentID', piece)),
  ...['0', ' ', '9:', '-', 'T'].map((piece) => field('StartTime', piece)),
  ...['0', '0:', '.'].map((piece) => field('Duration', piece)),
  ...['Answered -> ', 'An swered', '_'].map((piece) => field('DialStatus', piece)),
  ...['SkillTransfer-', '1'].map((piece) => field('UUI', piece)),
  ...['1', 'x'].map((piece) => field('monitorUCID', piece)),
  ...[
    ...['\\', '"', '[', 'apikey', 'apikey:', 'apikey:[', 'apikey%3A%5B', 'apikey"\\', 'api_key = ', '%22'],
    ...["apikey:'", 'demo-ke', ' ', '\\u0064', '/\\'],
  ].map(broken),
  ...['\\', '"', '&', '%22', '%2525', 'apikey=', 'apikey%22%3A', '0'].map(unread),
  {
    name: 'account keys',
    of: (bytes) => json(`{"monitorUCID":"1","Apikey":[${times(bytes / 10, (index) => `"k${index}"`)}]}`),
  },
  { name: 'brackets', of: (bytes) => json('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)) },
  within('numbers', (bytes) => `"x":[${times(bytes / 4, () => '123')}]`),
  within('unknown fields', (bytes) => times(bytes / 16, (index) => `"f${index}":"v"`)),
  within('alike names', (bytes) => times(bytes / 16, (index) => `"\\ud80${index % 4 === 0 ? 0 : 1}":${index}`)),
  { name: 'form fields', of: (bytes) => form(`${times(bytes / 10, (index) => `f${index}=1`, '&')}&data={}`) },
  { name: 'data again and again', of: (bytes) => form('data=x&'.repeat(bytes / 7)) },
  { name: 'percent signs', of: (bytes) => form(`data=${'%'.repeat(bytes)}`) },
  {
    name: 'data in data',
    of: (bytes) =>
      json(
        Array.from({ length: Math.log2(bytes / 25) }).reduce<string>(
          (inner) => JSON.stringify({ data: inner }),
          JSON.stringify({ x: '"'.repeat(12) }),
        ),
      ),
  },
];
