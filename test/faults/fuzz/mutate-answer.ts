import { between, chance, digitsOf, pick, type Random, shuffled } from '../../../sandbox/simulator/random.ts';
import { inventedRows } from '../../../sandbox/simulator/service/answer-quirks.ts';
import type { LoginRow } from '../../../sandbox/simulator/service/responses.ts';
import { pollSecrets } from './accounts.ts';
import {
  changed,
  type FieldList,
  type Fields,
  inOneRecord,
  type JsonNode,
  type Mutation,
  respelt,
  set,
  somewhere,
  written,
} from './json.ts';
import { oddNode, oddText, trapNames } from './odd-values.ts';

const states = ['READY', 'ACW', 'Idle', 'BUSY', 'INCALL', 'AUX', 'PAUSE'];

/** Agents who are logged in. */
export const someAgents = (random: Random): readonly LoginRow[] =>
  Array.from({ length: between(random, 1, 6) }, (_, index) => ({
    AgentId: `agent-${index}`,
    AgentName: `Agent No. ${index}`,
    PhoneNumber: `0900000000${index}`,
    AgentState: pick(random, states),
    SkillName: pick(random, ['Sales', 'Sales, Support', '']),
  }));

/** A quarter of an hour later somebody is in another state. */
export const movedOn = (random: Random, rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row) => (chance(random, 0.3) ? { ...row, AgentState: pick(random, states) } : row));

/** A record as it is to be written. */
export const recordOf = (row: LoginRow): Fields => ({ fields: Object.entries(row) });

/** The answer of the specification. */
export const answerOf = (message: JsonNode, status: JsonNode = 'success'): Fields => ({
  fields: [
    ['status', status],
    ['message', message],
  ],
});

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

/** How an answer frames its records. */
export interface Frame {
  readonly name: string;
  readonly around: (random: Random, records: readonly JsonNode[]) => JsonNode;
}

const words = [
  'No Data Found',
  'no data found.',
  'Max limit exceeded',
  'UserName or ApiKey is invalid',
  'Token expired',
  'UserName should not be empty',
  'success',
  '',
  'Unknown error',
];

/** By specification, in practice, and in no documentation at all. */
export const frames: readonly Frame[] = [
  { name: 'message-object', around: (_, records) => answerOf({ fields: [['agents', records]] }) },
  {
    name: 'by-index',
    around: (_, records) => answerOf({ fields: records.map((record, index) => [String(index), record]) }),
  },
  {
    name: 'details',
    around: (_, records) => ({
      fields: [
        ['status', 'success'],
        ['message', 'success'],
        ['details', records],
      ],
    }),
  },
  { name: 'single', around: (_, [first = []]) => answerOf(first) },
  { name: 'words', around: (random) => answerOf(pick(random, words), pick(random, ['success', 'error', 'false'])) },
  { name: 'odd-message', around: (random) => answerOf(oddNode(random)) },
  { name: 'odd-status', around: (random, records) => answerOf(records, oddNode(random)) },
  { name: 'trap-status', around: (_, records) => answerOf(records, { fields: [['toString', '1']] }) },
  {
    name: 'error-with-records',
    around: (random, records) => answerOf(records, pick(random, ['error', 'FALSE', 'failed'])),
  },
  { name: 'no-status', around: (_, records) => ({ fields: [['message', records]] }) },
  { name: 'bare-list', around: (_, records) => records },
  {
    name: 'two-lists',
    around: (_, records) =>
      answerOf({
        fields: [
          ['a', records],
          ['b', []],
        ],
      }),
  },
  { name: 'odd-root', around: (random) => oddNode(random) },
  {
    name: 'trap-beside',
    around: (random, records) => ({
      fields: [
        [pick(random, trapNames), oddNode(random)],
        ['status', 'success'],
        ['message', records],
      ],
    }),
  },
  { name: 'records-in-text', around: (_, records) => answerOf(written(records)) },
  {
    name: 'odd-beside',
    around: (random, records) => ({
      fields: [
        ['status', 'success'],
        [oddText(random), oddNode(random)],
        ['message', records],
        ...(chance(random, 0.3) ? [['details', records] as const] : []),
      ],
    }),
  },
];
