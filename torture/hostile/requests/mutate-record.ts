import { wireCallFields } from '../../../lib/call-summary/wire.ts';
import { wireParticipantFields } from '../../../lib/participant/wire.ts';
import { between, chance, digitsOf, pick, type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { secrets } from '../accounts.ts';
import { changed, type FieldList, inOneRecord, respelt, set, somewhere } from '../json/fields.ts';
import type { Field, JsonNode } from '../json/node.ts';
import { oddNode, trapNames } from '../json/odd-nodes.ts';
import { oddLength, oddText } from '../json/odd-texts.ts';
import type { Mutation } from '../mutation.ts';

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
