import { inventedRows } from '../../../sandbox/simulator/answers/odd-rows.ts';
import { between, digitsOf, pick, type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from '../accounts.ts';
import { changed, type FieldList, inOneRecord, respelt, set, somewhere } from '../json/fields.ts';
import type { JsonNode } from '../json/node.ts';
import { oddNode, trapNames } from '../json/odd-nodes.ts';
import { oddText } from '../json/odd-texts.ts';
import type { Mutation } from '../mutation.ts';
import { recordOf } from './base-answer.ts';

type Records = readonly JsonNode[];

const documented = ['AgentId', 'AgentName', 'PhoneNumber', 'AgentState', 'SkillName'];

const inOne = (name: string, change: (random: Random, fields: FieldList) => FieldList): Mutation<Records> => ({
  name,
  apply: (random, records) => {
    const next = inOneRecord(random, records, (fields) => change(random, fields));
    return Array.isArray(next) ? next : records;
  },
});

const skills = (random: Random): JsonNode =>
  pick(random, [
    Array.from({ length: between(random, 0, 200) }, () => oddText(random)),
    Array.from({ length: 300 }, () => digitsOf(random, 5)).join(','),
    ',,,',
    { fields: [['a', 'b']] },
  ]);

/** Changes of the records in an answer of getAgentLogins. */
export const agentMutations: readonly Mutation<Records>[] = [
  inOne('odd-value', (random, fields) => changed(random, fields, ([name]) => [[name, oddNode(random)]])),
  inOne('odd-agent-id', (random, fields) => set(fields, 'AgentId', oddNode(random))),
  inOne('odd-state', (random, fields) => set(fields, 'AgentState', oddNode(random))),
  inOne('odd-skills', (random, fields) => set(fields, 'SkillName', skills(random))),
  inOne('removed', (random, fields) => changed(random, fields, () => [])),
  inOne('respelt', (random, fields) => changed(random, fields, ([name, value]) => [[respelt(random, name), value]])),
  inOne('two-spellings', (random, fields) =>
    changed(random, fields, (field) => [field, [respelt(random, field[0]), oddNode(random)]]),
  ),
  inOne('unknown-field', (random, fields) => somewhere(random, fields, [oddText(random), oddNode(random)])),
  inOne('trap-name', (random, fields) => somewhere(random, fields, [pick(random, trapNames), oddNode(random)])),
  inOne('key-astray', (random, fields) => set(fields, pick(random, documented), `x ${pick(random, pollSecrets)}`)),
  {
    name: 'odd-record',
    apply: (random, records) => records.toSpliced(between(random, 0, records.length), 0, oddNode(random)),
  },
  { name: 'nobody', apply: (random, records) => [...records, { fields: [['AgentState', oddText(random)]] }] },
  { name: 'all-odd', apply: (random, records) => records.map(() => oddNode(random)) },
  { name: 'twice', apply: (_, records) => [...records, ...records] },
  { name: 'one-less', apply: (random, records) => records.toSpliced(between(random, 0, records.length - 1), 1) },
  { name: 'reordered', apply: (random, records) => shuffled(random, records) },
  { name: 'nested', apply: (_, records) => [records] },
  { name: 'none', apply: () => [] },
  {
    name: 'newcomers',
    apply: (random, records) => [...records, ...inventedRows(between(random, 1, 20)).map(recordOf)],
  },
];
