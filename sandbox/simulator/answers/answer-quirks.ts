import { jsonAnswer } from '../../http/json-answer.ts';
import type { Answer } from '../../http/serve.ts';
import { type LoginRow, success } from '../service/logins-rows.ts';
import { errorTexts, methodNotAllowed, textError, unauthorised } from '../service/texts.ts';
import { inOddCase, inventedRows, withDuplicate, withMalformed, withUnknownState } from './odd-rows.ts';

/** Another answer of getAgentLogins than the good one, made of the records that the good one would have. */
export interface AnswerQuirk {
  readonly name: string;
  readonly answer: (rows: readonly LoginRow[], location: string) => Answer;
}

const text = (status: number, contentType: string, body: string): Answer => ({
  status,
  headers: { 'content-type': contentType },
  body,
});

const truncated = ({ body = '', ...answer }: Answer): Answer => ({
  ...answer,
  body: String(body).slice(0, Math.floor((2 * String(body).length) / 3)),
});

const maintenance = '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>';

/** All of them: what clients of the service have met, and what one may meet anywhere. */
export const answerQuirks = [
  { name: 'rate-limit-text', answer: () => textError(errorTexts.limit) },
  { name: 'invalid-text', answer: () => textError(errorTexts.invalid) },
  { name: '401-status-false', answer: () => unauthorised },
  { name: '429', answer: () => textError(errorTexts.limit, 429) },
  { name: '405-no-json', answer: () => methodNotAllowed },
  { name: '500', answer: () => textError('Internal error', 500) },
  { name: 'html', answer: () => text(200, 'text/html', maintenance) },
  { name: 'truncated-json', answer: (rows) => truncated(success(rows)) },
  { name: 'message-object', answer: (rows) => success({ agents: rows }) },
  { name: 'message-by-index', answer: (rows) => success(Object.fromEntries(rows.entries())) },
  { name: 'message-success-details', answer: (rows) => success('success', { details: rows }) },
  { name: 'no-data-found', answer: () => textError('No Data Found') },
  { name: 'empty-list', answer: () => success([]) },
  { name: 'malformed-record', answer: (rows) => success(withMalformed(rows)) },
  { name: 'duplicate-agent', answer: (rows) => success(withDuplicate(rows)) },
  { name: 'odd-case', answer: (rows) => success(inOddCase(rows)) },
  { name: 'unknown-state', answer: (rows) => success(withUnknownState(rows)) },
  {
    name: 'redirect',
    answer: (_, location) => ({ ...jsonAnswer(302, {}), headers: { location } }),
  },
  { name: 'huge', answer: (rows) => success([...rows, ...inventedRows(150_000)]) },
  { name: 'slow', answer: (rows) => success(rows) },
] as const satisfies readonly AnswerQuirk[];

/** The name of such an answer. */
export type AnswerKind = (typeof answerQuirks)[number]['name'];

/** All names. */
export const answerKinds: readonly AnswerKind[] = answerQuirks.map(({ name }) => name);
