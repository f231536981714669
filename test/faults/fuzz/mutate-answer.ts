import fc from 'fast-check';
import { inventedRows } from '../../../sandbox/simulator/service/answer-quirks.ts';
import { pollSecrets } from './accounts.ts';
import { fieldChanges } from './mutate-record.ts';
import {
  agentRecord,
  answerWith,
  type FieldList,
  inOneRecord,
  type JsonNode,
  type Kind,
  kindOf,
  kindWith,
  objectOf,
  rotated,
  withValue,
  written,
} from './mutation.ts';
import { digits, oddNode, oddText, trapNames } from './odd-values.ts';

export type Records = readonly JsonNode[];

const setTo = (kind: string, name: string, values: fc.Arbitrary<JsonNode>): Kind<FieldList> =>
  kindWith(kind, values, (fields, value) => withValue(fields, name, value));

const skills: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.array(oddText, { maxLength: 200, size: 'max' }),
  digits(5).map((text) => Array.from({ length: 300 }, (_, index) => `${text}${index}`).join(',')),
  fc.constant(',,,'),
  fc.constant(objectOf(['a', 'b'])),
);

const ofRecord: readonly Kind<FieldList>[] = [
  ...fieldChanges,
  setTo('odd-agent-id', 'AgentId', oddNode),
  setTo('odd-state', 'AgentState', oddNode),
  setTo('odd-skills', 'SkillName', skills),
  kindWith(
    'secret-in-field',
    fc.tuple(
      fc.constantFrom('AgentId', 'AgentName', 'PhoneNumber', 'AgentState', 'SkillName'),
      fc.constantFrom(...pollSecrets),
    ),
    (fields, [name, secret]) => withValue(fields, name, `x ${secret}`),
  ),
];

export const answerChanges: readonly Kind<Records>[] = [
  ...ofRecord.map((change) => inOneRecord<Records>(change, (records) => records)),
  kindWith('odd-record', oddNode, (records, value, indexOf) =>
    records.toSpliced(indexOf(records.length + 1), 0, value),
  ),
  kindWith('nameless', oddText, (records, state) => [...records, objectOf(['AgentState', state])]),
  kindWith('all-odd', fc.array(oddNode, { minLength: 1, maxLength: 6 }), (records, values) =>
    records.map((_, index) => values[index % values.length] ?? ''),
  ),
  kindOf('twice', (records) => [...records, ...records]),
  kindOf('one-less', (records, indexOf) => records.toSpliced(indexOf(records.length), 1)),
  kindOf('reordered', rotated),
  kindOf('nested', (records) => [records]),
  kindOf('none', () => []),
  kindWith('newcomers', fc.integer({ min: 1, max: 20 }), (records, count) => [
    ...records,
    ...inventedRows(count).map(agentRecord),
  ]),
];

const messages = [
  ...['No Data Found', 'no data found.', 'Max limit exceeded', 'UserName or ApiKey is invalid', 'Token expired'],
  ...['UserName should not be empty', 'success', '', 'Unknown error'],
];

/** The whole answers around records: as specified, as in practice, and as nobody has documented. */
export const frames: readonly Kind<Records, JsonNode>[] = [
  kindOf('message-object', (records) => answerWith(objectOf(['agents', records]))),
  kindOf('by-index', (records) => answerWith({ fields: records.map((record, index) => [String(index), record]) })),
  kindOf('details', (records) => objectOf(['status', 'success'], ['message', 'success'], ['details', records])),
  kindOf('single', ([first = []]) => answerWith(first)),
  kindWith(
    'words',
    fc.tuple(fc.constantFrom(...messages), fc.constantFrom('success', 'error', 'false')),
    (_, [message, status]) => answerWith(message, status),
  ),
  kindWith('odd-message', oddNode, (_, value) => answerWith(value)),
  kindWith('odd-status', oddNode, (records, status) => answerWith(records, status)),
  kindOf('trap-status', (records) => answerWith(records, objectOf(['toString', '1']))),
  kindWith('error-with-records', fc.constantFrom('error', 'FALSE', 'failed'), (records, status) =>
    answerWith(records, status),
  ),
  kindOf('no-status', (records) => objectOf(['message', records])),
  kindOf('bare-list', (records) => records),
  kindOf('two-lists', (records) => answerWith(objectOf(['a', records], ['b', []]))),
  kindWith('odd-root', oddNode, (_, value) => value),
  kindOf('records-in-text', (records) => answerWith(written(records))),
  kindWith(
    'odd-beside',
    fc.tuple(fc.oneof(oddText, fc.constantFrom(...trapNames)), oddNode, fc.boolean()),
    (records, [name, value, hasDetails]) =>
      objectOf([name, value], ...answerWith(records).fields, ...(hasDetails ? [['details', records] as const] : [])),
  ),
];
