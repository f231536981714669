import fc from 'fast-check';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { weighted } from '../../support/arbitraries.ts';
import { digits, oddLength, oddNode, oddText, type Posted, trapNames } from './carriers.ts';
import {
  type Field,
  type FieldList,
  inOneRecord,
  isFields,
  type JsonNode,
  type Kind,
  kindOf,
  kindWith,
  objectOf,
  recordsIn,
  respelt,
  rotated,
  spelling,
  withChanged,
  withField,
  withValue,
  written,
} from './mutation.ts';
import { callbackSecret, secrets } from './receiver.ts';

const documented = fc.constantFrom(...new Set([...wireCallFields, ...wireParticipantFields]));
const callIds = ['monitorUCID', 'UCID', 'CallID', 'DataUniqueId'];
const callId = fc.constantFrom(...callIds);
const secret = fc.constantFrom(...secrets);
const trapName = fc.constantFrom(...trapNames);

const added = (kind: string, names: fc.Arbitrary<string>, values: fc.Arbitrary<JsonNode>): Kind<FieldList> =>
  kindWith(kind, fc.tuple(names, values), (fields, field, indexOf) => withField(fields, indexOf, field));

const replaced = (kind: string, names: fc.Arbitrary<string>, values: fc.Arbitrary<JsonNode>): Kind<FieldList> =>
  kindWith(kind, fc.tuple(names, values), (fields, [name, value]) => withValue(fields, name, value));

/** Changes of any record, whatever its fields mean. */
export const fieldChanges: readonly Kind<FieldList>[] = [
  kindWith('odd-value', oddNode, (fields, value, indexOf) => withChanged(fields, indexOf, ([name]) => [[name, value]])),
  kindOf('removed', (fields, indexOf) => withChanged(fields, indexOf, () => [])),
  kindWith('respelt', spelling, (fields, which, indexOf) =>
    withChanged(fields, indexOf, ([name, value]) => [[respelt(name, which), value]]),
  ),
  kindWith('two-spellings', fc.tuple(spelling, oddNode), (fields, [which, value], indexOf) =>
    withChanged(fields, indexOf, (field) => [field, [respelt(field[0], which), value]]),
  ),
  added('unknown-field', oddText, oddNode),
  added('trap-name', trapName, oddNode),
];

const callChanges: readonly Kind<FieldList>[] = [
  ...fieldChanges,
  replaced('odd-value-of-any', documented, oddNode),
  replaced('odd-id', callId, oddNode),
  replaced('long-id', callId, digits(1, 2, 20, 99, 100, 101, 2_000)),
  replaced(
    'bare-id',
    callId,
    digits(15, 17, 20, 30).map((raw) => ({ raw })),
  ),
  replaced(
    'trap-in-place',
    fc.constantFrom(...callIds, 'Apikey', 'UserName', 'Status', 'CallerID'),
    fc.tuple(trapName, oddNode).map((field) => objectOf(field)),
  ),
  kindOf('no-ids', (fields) => fields.filter(([name]) => !callIds.includes(name))),
  kindOf('no-key', (fields) => fields.filter(([name]) => !/^api_?key$/i.test(name))),
  replaced('other-key', fc.constant('Apikey'), fc.oneof(fc.constantFrom(...secrets, 'nobody’s', ''), oddText)),
  replaced('odd-key', fc.constant('Apikey'), oddNode),
  replaced('other-user', fc.constant('UserName'), fc.constantFrom('other', 'OTHER', 'Demo', 'nobody', '')),
  added(
    'secret-in-other-field',
    documented,
    secret.map((key) => `x ${key} y`),
  ),
  added('secret-as-name', secret, oddNode),
  kindOf('reordered', rotated),
  added('event-name', fc.constantFrom('event', 'eventType', 'EventName'), oddText),
  kindWith('many-fields', oddLength, (fields, length) => [
    ...fields,
    ...Array.from({ length: length / 10 }, (_, index): Field => [`field${index}`, `${index}`]),
  ]),
  kindWith('mostly-blank', fc.nat(9), (fields, nth) =>
    fields.map(([name, value], index) => [name, index % 10 === nth ? value : '']),
  ),
];

export const recordChanges: readonly Kind<JsonNode>[] = callChanges.map((change) =>
  inOneRecord<JsonNode>(change, (records, root) => (Array.isArray(root) ? records : (records[0] ?? root))),
);

const isParticipant = (record: JsonNode): boolean =>
  isFields(record) && record.fields.some(([name]) => name === 'ExitStatus' || name === 'ParticipantNumber');

const withoutIds = (record: JsonNode): JsonNode =>
  isFields(record) ? { fields: record.fields.filter(([name]) => !/ucid|^callid$|uniqueid/i.test(name)) } : record;

/** The record under the id of another call. */
const ofCall = (record: JsonNode, id: string): JsonNode =>
  isFields(record)
    ? { fields: record.fields.map(([name, value]) => [name, /^(monitorucid|ucid)$/i.test(name) ? id : value]) }
    : record;

const repeatedTo = (root: JsonNode, count: number, firstId: string): JsonNode => {
  const records = recordsIn(root);
  return Array.from({ length: count }, (_, index) =>
    ofCall(records[index % records.length] ?? '', String(BigInt(firstId) + BigInt(index))),
  );
};

const otherAccount = objectOf(['monitorUCID', '7'], ['Status', 'Answered'], ['Apikey', 'other-key-31c9']);

export const rootChanges: readonly Kind<JsonNode>[] = [
  kindWith('wrong-root', oddNode, (_, value) => value),
  kindOf('in-a-list', (root) => [root]),
  kindOf('empty-list', () => []),
  kindWith(
    'several-records',
    fc.tuple(weighted([20, fc.integer({ min: 2, max: 12 })], [1, fc.integer({ min: 100, max: 200 })]), digits(17)),
    (root, [count, id]) => repeatedTo(root, count, id),
  ),
  kindWith(
    'too-many-records',
    fc.tuple(fc.integer({ min: 498, max: 502 }), fc.constantFrom('0', '{}', 'null')),
    (root, [count, raw]) => [...recordsIn(root), ...Array(count).fill({ raw })],
  ),
  kindWith('odd-among-records', oddNode, (root, value) => [...recordsIn(root), value, ...recordsIn(root)]),
  kindOf('participants-only', (root) => recordsIn(root).filter(isParticipant)),
  kindOf('without-ids', (root) => recordsIn(root).map(withoutIds)),
  kindOf('participant-first', (root) => recordsIn(root).toReversed()),
  kindOf('two-accounts', (root) => [...recordsIn(root), otherAccount]),
  kindOf('data-in-json', (root) => objectOf(['data', root])),
  kindWith('data-within-data', fc.integer({ min: 1, max: 6 }), (root, times) =>
    Array.from({ length: times }).reduce<JsonNode>((inner) => objectOf(['data', written(inner)]), root),
  ),
  kindOf('json-twice-encoded', (root) => written(root)),
];

const pieces = [
  ...['\u0000', '\ufeff', '//x\n', '/* x */', ',', '}', ']', '"', "'", '\\', '\\u', '\\ud800', 'NaN', 'undefined'],
  ...['Infinity', '\n', '\t', '+1', '01', '.5', '{', '['],
];

/** Changes of the JSON text. Most of them break it. */
export const textChanges: readonly Kind<string>[] = [
  kindOf('truncated', (text, indexOf) => text.slice(0, indexOf(text.length + 1))),
  kindOf('beheaded', (text, indexOf) => text.slice(indexOf(Math.min(40, text.length) + 1))),
  kindWith('piece', fc.constantFrom(...pieces), (text, piece, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${piece}${text.slice(at)}`;
  }),
  kindWith('bom', fc.integer({ min: 1, max: 2 }), (text, count) => `${'\ufeff'.repeat(count)}${text}`),
  kindWith('space-around', oddLength, (text, length) => `${' \n\t'.repeat(length / 3)}${text}\r\n`),
  kindOf('single-quotes', (text) => text.replaceAll('"', "'")),
  kindOf('trailing-comma', (text) => text.replace(/([}\]])$/, ',$1')),
  kindOf('twice', (text) => `${text}${text}`),
  kindOf('repeated-names', (text) => text.replace(/^\{(.+)\}$/s, '{$1,$1}')),
  kindWith('removed-piece', fc.nat(200), (text, length, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${text.slice(at + length)}`;
  }),
  kindOf('numbers-bare', (text) => text.replace(/"(\d+)"/g, '$1')),
  kindOf('octal', (text) => text.replace(/"(\d+)"/g, '0$1')),
  kindOf('escaped', (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, escapedOrSame)),
  kindOf('upper-case-escapes', (text) =>
    text.replace(/\//g, '\\u002F').replace(/\+/g, '\\u002B').replace(/&/g, '\\u0026'),
  ),
  kindOf('xml', (text) => `<data>${text}</data>`),
  kindOf('callback-call', (text) => `cb(${text});`),
  kindWith('only-spaces', oddLength, (_, length) => ' '.repeat(length)),
  kindOf('nothing', () => ''),
];

/** The string with most characters as escapes, or as it is if it is broken. */
const escapedOrSame = (quoted: string): string => {
  try {
    return JSON.stringify(JSON.parse(quoted)).replace(/[^"\\]/g, (character) =>
      /[nrtbfu0-9a-f]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  } catch {
    return quoted;
  }
};

const contentTypes = [
  ...['', ' ', 'application/x-www-form-urlencoded; charset=UTF-8'],
  ...['application/x-www-form-urlencoded;charset=utf-16', 'application/x-www-form-urlencoded ;'],
  ...['APPLICATION/X-WWW-FORM-URLENCODED', 'application/x-www-form-urlencoded,application/json'],
  ...['application/x-www-form-urlencoded\nx', 'application/json; charset=iso-8859-1', 'application/vnd.api+json'],
  ...['text/json', 'application/json-seq', 'text/plain', 'text/html', 'multipart/form-data; boundary=x'],
  ...['application/xml', 'application/octet-stream', 'nonsense'],
  `application/json;${'x'.repeat(5_000)}`,
  `application/${'a.'.repeat(3_000)}json`,
  '*/*',
];

const contentType = fc.constantFrom(...contentTypes);

const otherCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const withHeaders = (post: Posted, headers: Readonly<Record<string, string>>): Posted => ({
  ...post,
  headers: { ...post.headers, ...headers },
});

export const httpChanges: readonly Kind<Posted>[] = [
  kindWith('content-type', contentType, (post, type) => withHeaders(post, { 'content-type': type })),
  kindOf('no-headers', (post) => ({ ...post, headers: {} })),
  kindOf('header-case', (post) => ({
    ...post,
    headers: Object.fromEntries(Object.entries(post.headers).map(([name, value]) => [otherCase(name), value])),
  })),
  kindWith('header-twice', contentType, (post, type) => withHeaders(post, { 'Content-Type': type })),
  kindWith('odd-headers', oddText, (post, text) =>
    withHeaders(post, { 'content-encoding': 'gzip', ['__proto__']: 'x', expect: '100-continue', 'x-odd': text }),
  ),
  kindWith(
    'body-encoding',
    fc.constantFrom('as-text', 'as-base64', 'text-called-base64', 'base64-called-text'),
    (post, bodyEncoding) => ({ ...post, bodyEncoding }),
  ),
  kindOf('no-body', (post) => ({ ...post, body: undefined })),
  kindOf('empty-body', (post) => ({ ...post, body: Buffer.alloc(0) })),
  kindWith('odd-bytes', fc.uint8Array({ minLength: 1, maxLength: 8 }), (post, bytes, indexOf) => {
    const body = Buffer.from(post.body ?? 'data=');
    for (const [index, byte] of bytes.entries()) body[(indexOf(body.length) + 31 * index) % body.length] = byte;
    return { ...post, body };
  }),
  kindOf('query-only', (post) => ({ ...post, query: `${post.query}&${post.body?.toString() ?? ''}`, body: undefined })),
  kindWith(
    'secret-in-path',
    fc.oneof(fc.constantFrom(callbackSecret, callbackSecret, 'wrong', '', '%'), oddText),
    (post, secret) => ({ ...post, secret }),
  ),
];
