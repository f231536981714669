import fc from 'fast-check';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { weighted } from '../../support/arbitraries.ts';
import {
  among,
  type Changes,
  type Field,
  type FieldList,
  inOneRecord,
  isFields,
  type JsonNode,
  objectOf,
  oneOf,
  recordsIn,
  rotated,
  spelling,
  using,
  withChanged,
  withField,
  withValue,
  written,
} from './json-nodes.ts';
import { digits, oddLength, oddNode, oddText, trapNames } from './odd-values.ts';
import { secrets } from './receiver.ts';

const documented = fc.constantFrom(...new Set([...wireCallFields, ...wireParticipantFields]));
const callIds = ['monitorUCID', 'UCID', 'CallID', 'DataUniqueId'];
const callId = fc.constantFrom(...callIds);
const secret = fc.constantFrom(...secrets);
const trapName = fc.constantFrom(...trapNames);

const added = (names: fc.Arbitrary<string>, values: fc.Arbitrary<JsonNode>): Changes<FieldList> =>
  using(fc.tuple(names, values), (fields, field, indexOf) => withField(fields, indexOf, field));

export const replaced = (names: fc.Arbitrary<string>, values: fc.Arbitrary<JsonNode>): Changes<FieldList> =>
  using(fc.tuple(names, values), (fields, [name, value]) => withValue(fields, name, value));

/** Changes of any record, whatever its fields mean. */
export const fieldChanges: readonly Changes<FieldList>[] = [
  using(oddNode, (fields, value, indexOf) => withChanged(fields, indexOf, ([name]) => [[name, value]])),
  among((fields, indexOf) => withChanged(fields, indexOf, () => [])),
  using(spelling, (fields, respelt, indexOf) =>
    withChanged(fields, indexOf, ([name, value]) => [[respelt(name), value]]),
  ),
  using(fc.tuple(spelling, oddNode), (fields, [respelt, value], indexOf) =>
    withChanged(fields, indexOf, (field) => [field, [respelt(field[0]), value]]),
  ),
  added(oddText, oddNode),
  added(trapName, oddNode),
];

const callChanges = oneOf<FieldList>(
  ...fieldChanges,
  replaced(documented, oddNode),
  replaced(callId, oddNode),
  replaced(callId, digits(1, 2, 20, 99, 100, 101, 2_000)),
  replaced(
    callId,
    digits(15, 17, 20, 30).map((raw) => ({ raw })),
  ),
  replaced(
    fc.constantFrom(...callIds, 'Apikey', 'UserName', 'Status', 'CallerID'),
    fc.tuple(trapName, oddNode).map((field) => objectOf(field)),
  ),
  replaced(fc.constant('Apikey'), fc.oneof(fc.constantFrom(...secrets, 'nobody’s', ''), oddText, oddNode)),
  replaced(fc.constant('UserName'), fc.constantFrom('other', 'OTHER', 'Demo', 'nobody', '')),
  added(
    documented,
    secret.map((key) => `x ${key} y`),
  ),
  added(secret, oddNode),
  added(fc.constantFrom('event', 'eventType', 'EventName'), oddText),
  among<FieldList>(
    (fields) => fields.filter(([name]) => !callIds.includes(name)),
    (fields) => fields.filter(([name]) => !/^api_?key$/i.test(name)),
    rotated,
    (fields, indexOf) => fields.map(([name, value], index) => [name, index % 10 === indexOf(10) ? value : '']),
  ),
  using(oddLength, (fields, length) => [
    ...fields,
    ...Array.from({ length: length / 10 }, (_, index): Field => [`field${index}`, `${index}`]),
  ]),
);

export const recordChanges: Changes<JsonNode> = inOneRecord(callChanges).map((change) => (root: JsonNode) => {
  const records = change(recordsIn(root));
  return Array.isArray(root) ? records : (records[0] ?? root);
});

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

export const rootChanges = oneOf<JsonNode>(
  using(oddNode, (_, value) => value),
  using(oddNode, (root, value) => [...recordsIn(root), value, ...recordsIn(root)]),
  using(
    fc.tuple(weighted([20, fc.integer({ min: 2, max: 12 })], [1, fc.integer({ min: 100, max: 200 })]), digits(17)),
    (root, [count, id]) => repeatedTo(root, count, id),
  ),
  using(fc.tuple(fc.integer({ min: 498, max: 502 }), fc.constantFrom('0', '{}', 'null')), (root, [count, raw]) => [
    ...recordsIn(root),
    ...Array(count).fill({ raw }),
  ]),
  using(fc.integer({ min: 1, max: 6 }), (root, times) =>
    Array.from({ length: times }).reduce<JsonNode>((inner) => objectOf(['data', written(inner)]), root),
  ),
  among<JsonNode>(
    (root) => [root],
    () => [],
    (root) => recordsIn(root).filter(isParticipant),
    (root) => recordsIn(root).map(withoutIds),
    (root) => recordsIn(root).toReversed(),
    (root) => [...recordsIn(root), otherAccount],
    (root) => objectOf(['data', root]),
    (root) => written(root),
  ),
);

const pieces = [
  ...['', '\u0000', '\ufeff', '//x\n', '/* x */', ',', '}', ']', '"', "'", '\\', '\\u', '\\ud800', 'NaN', 'undefined'],
  ...['Infinity', '\n', '\t', '+1', '01', '.5', '{', '['],
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

/** Changes of the JSON text. Most of them break it. */
export const textChanges = oneOf<string>(
  using(fc.constantFrom(...pieces), (text, piece, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${piece}${text.slice(at)}`;
  }),
  using(fc.nat(200), (text, length, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${text.slice(at + length)}`;
  }),
  using(oddLength, (text, length) => `${' \n\t'.repeat(length / 3)}${text}\r\n`),
  using(oddLength, (_, length) => ' '.repeat(length)),
  using(
    fc.constantFrom(['\ufeff', ''], ['\ufeff\ufeff', ''], ['<data>', '</data>'], ['cb(', ');']),
    (text, [before, after]) => `${before}${text}${after}`,
  ),
  among<string>(
    (text, indexOf) => text.slice(0, indexOf(text.length + 1)),
    (text, indexOf) => text.slice(indexOf(Math.min(40, text.length) + 1)),
    (text) => text.replaceAll('"', "'"),
    (text) => text.replace(/([}\]])$/, ',$1'),
    (text) => `${text}${text}`,
    (text) => text.replace(/^\{(.+)\}$/s, '{$1,$1}'),
    (text) => text.replace(/"(\d+)"/g, '$1'),
    (text) => text.replace(/"(\d+)"/g, '0$1'),
    (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, escapedOrSame),
    (text) => text.replace(/\//g, '\\u002F').replace(/\+/g, '\\u002B').replace(/&/g, '\\u0026'),
    () => '',
  ),
);
