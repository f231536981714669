import { type Answer, jsonAnswer } from '../../http/serve.ts';
import { errorTexts, type LoginRow, methodNotAllowed, successAnswer, textError } from './responses.ts';

/** Records without a usable agent. The third one has an object as agent id. */
const malformed = [
  null,
  { AgentName: 'Nobody', AgentState: 'READY', SkillName: '' },
  { AgentId: { id: 'nested' }, AgentState: ['READY'] },
  [{ AgentId: 'too-deep', AgentState: 'READY' }],
] as const;

/** Malformed records between valid ones. */
const withMalformed = (rows: readonly LoginRow[]): readonly unknown[] => [
  ...rows.slice(0, 1),
  ...malformed,
  ...rows.slice(1),
];

/** The first agent twice, with two states. */
const withDuplicate = (rows: readonly LoginRow[]): readonly LoginRow[] => [
  ...rows,
  ...rows.slice(0, 1).map((row) => ({ ...row, AgentState: row.AgentState === 'ACW' ? 'READY' : 'ACW' })),
];

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** States in another letter case, and skills without spaces between them. */
const inOddCase = (rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row) => ({
    ...row,
    AgentState: swapCase(row.AgentState),
    SkillName: row.SkillName.replaceAll(', ', ','),
  }));

/** The first agent in an undocumented state. */
const withUnknownState = (rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row, index) => (index === 0 ? { ...row, AgentState: 'Lunching' } : row));

/** Fields that the specification does not have. One counts the seconds in the state. */
const withUndocumented = (rows: readonly LoginRow[]): readonly object[] =>
  rows.map((row, index) => ({ ...row, Location: 'Pune', StateSeconds: 7 + index }));

/** Invented agents. Each record has more than a hundred bytes. */
export const inventedRows = (count: number): readonly LoginRow[] =>
  Array.from({ length: count }, (_, index) => ({
    AgentId: `invented-${index}`,
    AgentName: `Invented ${index}`,
    PhoneNumber: '441632960000',
    AgentState: 'READY',
    SkillName: 'Sales, Support, Billing',
  }));

/** An unusual answer of getAgentLogins, made from the records of the normal answer. */
export interface AnswerQuirk {
  readonly name: string;
  readonly answer: (rows: readonly LoginRow[], location: string) => Answer;
}

/** The first two thirds of an answer. */
export const truncated = ({ body = '', ...answer }: Answer): Answer => ({
  ...answer,
  body: String(body).slice(0, Math.floor((2 * String(body).length) / 3)),
});

/** A page for people in place of JSON. */
export const htmlPage: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
};

/** Answers that clients of the service have observed, and failures that any HTTP service can have. */
export const answerQuirks = [
  { name: 'rate-limit-text', answer: () => textError(errorTexts.limit) },
  { name: 'invalid-text', answer: () => textError(errorTexts.invalid) },
  { name: '401-status-false', answer: () => jsonAnswer(401, { status: 'false', message: 'Token is expired' }) },
  { name: '429', answer: () => textError(errorTexts.limit, 429) },
  { name: '405-no-json', answer: () => methodNotAllowed },
  { name: '500', answer: () => textError('Internal error', 500) },
  { name: 'html', answer: () => htmlPage },
  { name: 'truncated-json', answer: (rows) => truncated(successAnswer(rows)) },
  { name: 'message-object', answer: (rows) => successAnswer({ agents: rows }) },
  { name: 'message-by-index', answer: (rows) => successAnswer(Object.fromEntries(rows.entries())) },
  { name: 'message-success-details', answer: (rows) => successAnswer('success', { details: rows }) },
  { name: 'no-data-found', answer: () => textError('No Data Found') },
  { name: 'empty-list', answer: () => successAnswer([]) },
  { name: 'malformed-record', answer: (rows) => successAnswer(withMalformed(rows)) },
  { name: 'duplicate-agent', answer: (rows) => successAnswer(withDuplicate(rows)) },
  { name: 'odd-case', answer: (rows) => successAnswer(inOddCase(rows)) },
  { name: 'undocumented-fields', answer: (rows) => successAnswer(withUndocumented(rows)) },
  { name: 'unknown-state', answer: (rows) => successAnswer(withUnknownState(rows)) },
  {
    name: 'redirect',
    answer: (_, location) => ({ ...jsonAnswer(302, {}), headers: { location } }),
  },
  { name: 'huge', answer: (rows) => successAnswer([...rows, ...inventedRows(150_000)]) },
  { name: 'slow', answer: (rows) => successAnswer(rows) },
] as const satisfies readonly AnswerQuirk[];

export type AnswerKind = (typeof answerQuirks)[number]['name'];

export const answerKinds: readonly AnswerKind[] = answerQuirks.map(({ name }) => name);
