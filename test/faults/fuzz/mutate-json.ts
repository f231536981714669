import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { between, chance, digitsOf, pick, type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { secrets } from './accounts.ts';
import {
  changed,
  type Field,
  type FieldList,
  inOneRecord,
  isFields,
  type JsonNode,
  type Mutation,
  recordsIn,
  respelt,
  set,
  somewhere,
  written,
} from './json.ts';
import { oddLength, oddNode, oddText, trapNames } from './odd-values.ts';

const documented = [...new Set([...wireCallFields, ...wireParticipantFields])];
const callIds = ['monitorUCID', 'UCID', 'CallID', 'DataUniqueId'];

const withField =
  (name: (random: Random) => string, value: (random: Random) => JsonNode) => (random: Random, fields: FieldList) =>
    somewhere(random, fields, [name(random), value(random)]);

const onFields: readonly Mutation<FieldList>[] = [
  { name: 'odd-value', apply: (random, fields) => changed(random, fields, ([name]) => [[name, oddNode(random)]]) },
  { name: 'odd-value-of-any', apply: (random, fields) => set(fields, pick(random, documented), oddNode(random)) },
  { name: 'odd-id', apply: (random, fields) => set(fields, pick(random, callIds), oddNode(random)) },
  {
    name: 'long-id',
    apply: (random, fields) =>
      set(fields, pick(random, callIds), digitsOf(random, pick(random, [1, 2, 20, 99, 100, 101, 2_000]))),
  },
  {
    name: 'bare-id',
    apply: (random, fields) => set(fields, pick(random, callIds), { raw: digitsOf(random, between(random, 15, 30)) }),
  },
  {
    name: 'trap-in-place',
    apply: (random, fields) =>
      set(fields, pick(random, [...callIds, 'Apikey', 'UserName', 'Status', 'CallerID']), {
        fields: [[pick(random, trapNames), oddNode(random)]],
      }),
  },
  { name: 'no-ids', apply: (_, fields) => fields.filter(([name]) => !callIds.includes(name)) },
  { name: 'no-key', apply: (_, fields) => fields.filter(([name]) => !/^api_?key$/i.test(name)) },
  {
    name: 'other-key',
    apply: (random, fields) => set(fields, 'Apikey', pick(random, [...secrets, 'nobody’s', '', oddText(random)])),
  },
  { name: 'odd-key', apply: (random, fields) => set(fields, 'Apikey', oddNode(random)) },
  {
    name: 'other-user',
    apply: (random, fields) => set(fields, 'UserName', pick(random, ['other', 'OTHER', 'Demo', 'nobody', ''])),
  },
  { name: 'unknown-field', apply: withField(oddText, oddNode) },
  { name: 'trap-name', apply: withField((random) => pick(random, trapNames), oddNode) },
  {
    name: 'key-astray',
    apply: withField(
      (random) => pick(random, documented),
      (random) => `x ${pick(random, secrets)} y`,
    ),
  },
  { name: 'key-as-name', apply: withField((random) => pick(random, secrets), oddNode) },
  { name: 'removed', apply: (random, fields) => changed(random, fields, () => []) },
  {
    name: 'respelt',
    apply: (random, fields) => changed(random, fields, ([name, value]) => [[respelt(random, name), value]]),
  },
  {
    name: 'two-spellings',
    apply: (random, fields) =>
      changed(random, fields, (field) => [field, [respelt(random, field[0]), oddNode(random)]]),
  },
  { name: 'reordered', apply: (random, fields) => shuffled(random, fields) },
  { name: 'event-name', apply: withField((random) => pick(random, ['event', 'eventType', 'EventName']), oddText) },
  {
    name: 'many-fields',
    apply: (random, fields) => [
      ...fields,
      ...Array.from({ length: oddLength(random) / 10 }, (_, index): Field => [`field${index}`, `${index}`]),
    ],
  },
  {
    name: 'all-blank',
    apply: (random, fields) => fields.map(([name, value]) => (chance(random, 0.8) ? [name, ''] : [name, value])),
  },
];

/** Changes of the fields of one record. */
export const recordMutations: readonly Mutation<JsonNode>[] = onFields.map(({ name, apply }) => ({
  name,
  apply: (random, root) => inOneRecord(random, root, (fields) => apply(random, fields)),
}));

const isParticipant = (record: JsonNode): boolean =>
  isFields(record) && record.fields.some(([name]) => name === 'ExitStatus' || name === 'ParticipantNumber');

const withoutIds = (record: JsonNode): JsonNode =>
  isFields(record) ? { fields: record.fields.filter(([name]) => !/ucid|^callid$|uniqueid/i.test(name)) } : record;

/** The record as another call: all its ids are replaced. */
const another = (random: Random, record: JsonNode): JsonNode => {
  if (!isFields(record)) return record;
  const id = digitsOf(random, 17);
  const renamed = ([name, value]: Field): Field => (/^(monitorucid|ucid)$/i.test(name) ? [name, id] : [name, value]);
  return { fields: record.fields.map(renamed) };
};

const repeatedTo = (random: Random, root: JsonNode, count: number): JsonNode => {
  const records = recordsIn(root);
  return Array.from({ length: count }, () => another(random, pick(random, records)));
};

/** Changes of a post as a whole. */
export const rootMutations: readonly Mutation<JsonNode>[] = [
  { name: 'wrong-root', apply: (random) => oddNode(random) },
  { name: 'in-a-list', apply: (_, root) => [root] },
  { name: 'empty-list', apply: () => [] },
  { name: 'some-records', apply: (random, root) => repeatedTo(random, root, between(random, 2, 12)) },
  {
    name: 'many-records',
    apply: (random, root) => (chance(random, 0.1) ? repeatedTo(random, root, between(random, 100, 200)) : root),
  },
  {
    name: 'too-many-records',
    apply: (random, root) => [
      ...recordsIn(root),
      ...Array(between(random, 498, 502)).fill({ raw: pick(random, ['0', '{}', 'null']) }),
    ],
  },
  { name: 'odd-among-records', apply: (random, root) => [...recordsIn(root), oddNode(random), ...recordsIn(root)] },
  { name: 'participants-only', apply: (_, root) => recordsIn(root).filter(isParticipant) },
  { name: 'without-ids', apply: (_, root) => recordsIn(root).map(withoutIds) },
  { name: 'participant-first', apply: (_, root) => recordsIn(root).toReversed() },
  {
    name: 'two-accounts',
    apply: (_, root) => [
      ...recordsIn(root),
      {
        fields: [
          ['monitorUCID', '7'],
          ['Status', 'Answered'],
          ['Apikey', 'other-key-31c9'],
        ],
      },
    ],
  },
  { name: 'data-in-json', apply: (_, root) => ({ fields: [['data', root]] }) },
  { name: 'json-in-data-in-json', apply: (_, root) => ({ fields: [['data', written(root)]] }) },
  {
    name: 'data-within-data',
    apply: (random, root) =>
      Array.from({ length: between(random, 2, 6) }).reduce<JsonNode>(
        (inner) => ({ fields: [['data', written(inner)]] }),
        root,
      ),
  },
  { name: 'json-twice-encoded', apply: (_, root) => written(root) },
];
