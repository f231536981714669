import fc from 'fast-check';
import type { ServiceResponse } from '../../../lib/service/service.ts';
import { inventedRows, type LoginRow } from '../../../sandbox/simulator/answers.ts';
import { weighted } from '../../support/arbitraries.ts';
import { type ModelDefinition, must } from '../models/model.ts';
import { digits, oddNode, oddText, trapNames } from './carriers.ts';
import { fieldChanges, textChanges } from './mutate-post.ts';
import {
  agentRecord,
  answerWith,
  applied,
  type Change,
  changeOf,
  changesOf,
  type FieldList,
  inOneRecord,
  type JsonNode,
  type Kind,
  kindOf,
  kindWith,
  mutated,
  objectOf,
  rotated,
  styles,
  withValue,
  written,
} from './mutation.ts';
import { pollSecrets } from './receiver.ts';
import { answerViolations, outcomeOf, pollTrial } from './try-answer.ts';

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

const answerChanges: readonly Kind<Records>[] = [
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
const frames: readonly Kind<Records, JsonNode>[] = [
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

export type TokenKind = 'none' | 'static' | 'generate';

/** An answer of getAgentLogins that starts from a real one, as plain data. */
interface FuzzedAnswer {
  readonly token: TokenKind;
  /** Whether the request for a token is answered so, instead of the one for the agents. */
  readonly isForToken: boolean;
  readonly agents: readonly {
    readonly state: string;
    readonly nextState: string | undefined;
    readonly skills: string;
  }[];
  readonly records: readonly Change[];
  readonly frame: Change | undefined;
  readonly style: number;
  readonly text: readonly Change[];
  readonly page: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
}

export interface AnswerCase {
  readonly token: TokenKind;
  readonly isForToken: boolean;
  /** The agents of the answers before and afterwards. */
  readonly before: readonly LoginRow[];
  readonly answer: ServiceResponse;
  /** The agents whose records in the answer are intact. */
  readonly intact: readonly LoginRow[];
}

const state = fc.constantFrom('READY', 'ACW', 'Idle', 'BUSY', 'INCALL', 'AUX', 'PAUSE');

const pages = [
  '<!doctype html><title>Maintenance</title>',
  'Method Not Allowed',
  'No Data Found',
  'Max limit exceeded',
  `Invalid token: ${pollSecrets.join(' ')}`,
];

/** With this probability, in percent. */
const sometimes = <Value>(percent: number, values: fc.Arbitrary<Value>) =>
  weighted<Value | undefined>([100 - percent, fc.constant(undefined)], [percent, values]);

const fuzzedAnswer: fc.Arbitrary<FuzzedAnswer> = fc.record({
  token: fc.constantFrom('none', 'none', 'static', 'generate'),
  isForToken: sometimes(10, fc.constant('token')).map((path) => path === 'token'),
  agents: fc.array(
    fc.record({ state, nextState: sometimes(30, state), skills: fc.constantFrom('Sales', 'Sales, Support', '') }),
    { minLength: 1, maxLength: 6 },
  ),
  records: changesOf(answerChanges, 80, 3),
  frame: sometimes(35, changeOf(frames)),
  style: fc.nat(styles.length - 1),
  text: changesOf(textChanges, 15),
  page: sometimes(5, fc.constantFrom(...pages)),
  status: weighted(
    [5, fc.constant(200)],
    [1, fc.constantFrom(201, 204, 400, 401, 403, 404, 405, 429, 500, 502, 503, 999)],
  ),
  retryAfterSeconds: sometimes(10, fc.constantFrom(0, 1, 30, 3_600, 86_400, Number.MAX_SAFE_INTEGER, 1e300)),
});

const caseOf = (fuzzed: FuzzedAnswer): AnswerCase => {
  const { token, isForToken, agents, frame, style, page, status, retryAfterSeconds } = fuzzed;
  const before = agents.map(({ state: AgentState, skills: SkillName }, index) => ({
    AgentId: `agent-${index}`,
    AgentName: `Agent No. ${index}`,
    PhoneNumber: `0900000000${index}`,
    ...{ AgentState, SkillName },
  }));
  const rows = before.map((row, index) => ({ ...row, AgentState: agents[index]?.nextState ?? row.AgentState }));
  const good = rows.map(agentRecord);
  const records = mutated<Records>(answerChanges, good, fuzzed.records);
  const root = frame === undefined ? answerWith(records) : applied(frames, records, frame);
  const plain = written(root, styles[style]);
  const text = page ?? mutated(textChanges, plain, fuzzed.text);
  const isPlain = frame === undefined && text === plain;
  const intact = isPlain ? rows.filter((row, index) => isAlone(row, good[index] ?? [], records)) : [];
  return { token, isForToken, before, answer: { status, text, retryAfterSeconds }, intact };
};

/** Whether an agent’s good record is there, and no other names the agent: of several any may win. */
const isAlone = ({ AgentId }: LoginRow, good: JsonNode, records: Records): boolean =>
  records.includes(good) &&
  records.every((record) => record === good || !JSON.stringify(record).includes(JSON.stringify(AgentId)));

/** Answers of any shape to the poller, each judged by what is promised of every answer. */
export const answers: ModelDefinition<FuzzedAnswer> = {
  name: 'answers',
  histories: fuzzedAnswer,
  async play(fuzzed, log = () => undefined) {
    const given = caseOf(fuzzed);
    const trial = await pollTrial(given);
    log(JSON.stringify({ answer: given.answer, rows: trial.rows }, undefined, 2));
    for (const line of trial.lines) log(line);
    const [violation] = answerViolations(given, trial);
    must(violation === undefined, () => violation ?? '');
    return { [`answer: ${outcomeOf(trial)}`]: 1 };
  },
};
