import { chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { type JsonNode, written } from '../json/node.ts';
import { oddNode, trapNames } from '../json/odd-nodes.ts';
import { oddText } from '../json/odd-texts.ts';
import { answerOf } from './base-answer.ts';

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
