import { between, chance, digitsOf, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { recordsIn } from '../json/fields.ts';
import { type Field, isFields, type JsonNode, written } from '../json/node.ts';
import { oddNode } from '../json/odd-nodes.ts';
import type { Mutation } from '../mutation.ts';

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
