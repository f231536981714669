import * as z from 'zod';
import { isSameUser } from '../../../lib/accounts/accounts.ts';
import type { WireAgentField } from '../../../lib/agents/normalise-agent.ts';
import type { FaultMode } from '../../faults.ts';
import { type Answer, jsonAnswer, type Received } from '../../http/serve.ts';
import type { LoggedIn } from '../floor/live-floor.ts';
import type { Fields } from '../summary.ts';
import { accountNamed } from './accounts.ts';

/** The error texts of the specification, unchanged. */
export const errorTexts = {
  noUserName: 'userName should not be empty',
  noApiKey: 'apiKey should not be empty',
  invalid: 'userName or apiKey is Invalid',
  limit: 'Max limit exceeded',
} as const;

/** Error texts that clients have met besides. */
const undocumentedTexts = {
  limit: 'API rate limit hit. Please try after 1 minute',
  outage: 'Internal Server Error',
} as const;

/** An error text. The specification names no status codes; the service answers 200. */
export const textError = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'error', message });

/** The answer to a wrong, expired or missing token. By the specification all errors have the status "error". */
export const unauthorised = textError('Token is missing, wrong or expired', 401);

/** The answer to methods other than POST. It is not JSON. */
export const methodNotAllowed: Answer = {
  status: 405,
  headers: { 'content-type': 'text/plain', allow: 'POST' },
  body: 'Method Not Allowed',
};

/** An agent login record of the specification. */
export type LoginRow = Readonly<Record<WireAgentField, string>>;

export const loginRow = ({ id, name, number, state, skills }: LoggedIn): LoginRow => ({
  AgentId: id,
  AgentName: name,
  PhoneNumber: number,
  AgentState: state,
  SkillName: skills.join(', '),
});

/** A success as specified. The service's `message` is not always a list. */
export const successAnswer = (message: unknown, others: object = {}): Answer =>
  jsonAnswer(200, { status: 'success', message, ...others });

/** The answers of the operations under a fault. Under `timeout` the promise never settles. */
export const faultAnswers: Readonly<Record<Exclude<FaultMode, 'none'>, () => Promise<Answer>>> = {
  throttle: async () => textError(errorTexts.limit, 429),
  error: async () => textError('Internal error', 500),
  timeout: () => new Promise(() => undefined),
};

/** Counts a request when it arrives. The returned function answers it; a fault may prevent that call. */
export type Operation = (request: Received) => () => Promise<Answer>;

/** The path of a request, without its query. */
export const pathOf = ({ path }: Pick<Received, 'path'>): string => path.split('?')[0] ?? '/';

/** The answer to an unknown operation or path. */
export const notFound = jsonAnswer(404, { status: 'error', message: 'Not found' });

/** Records without a usable agent. The third one has an object as agent id. */
const malformed = [
  null,
  { AgentName: 'Nobody', AgentState: 'READY', SkillName: '' },
  { AgentId: { id: 'nested' }, AgentState: ['READY'] },
  [{ AgentId: 'too-deep', AgentState: 'READY' }],
] as const;

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

/** The first two thirds of an answer. */
const truncated = ({ body = '', ...answer }: Answer): Answer => ({
  ...answer,
  body: String(body).slice(0, Math.floor((2 * String(body).length) / 3)),
});

/** A page for people in place of JSON. */
const htmlPage: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
};

/** An unusual answer of getAgentLogins, made from the records of the normal answer. */
export interface AnswerQuirk {
  readonly name: string;
  readonly answer: (rows: readonly LoginRow[], location: string) => Answer;
}

/** Answers that clients of the service have observed, and failures that any HTTP service can have. */
export const answerQuirks = [
  { name: 'rate-limit-text', answer: () => textError(errorTexts.limit) },
  { name: 'rate-limit-other-text', answer: () => textError(undocumentedTexts.limit) },
  { name: 'unknown-error-text', answer: () => textError(undocumentedTexts.outage) },
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
  {
    name: 'malformed-record',
    answer: (rows) => successAnswer([...rows.slice(0, 1), ...malformed, ...rows.slice(1)]),
  },
  { name: 'duplicate-agent', answer: (rows) => successAnswer(withDuplicate(rows)) },
  { name: 'odd-case', answer: (rows) => successAnswer(inOddCase(rows)) },
  { name: 'undocumented-fields', answer: (rows) => successAnswer(withUndocumented(rows)) },
  { name: 'unknown-state', answer: (rows) => successAnswer(withUnknownState(rows)) },
  { name: 'redirect', answer: (_, location) => ({ ...jsonAnswer(302, {}), headers: { location } }) },
  { name: 'huge', answer: (rows) => successAnswer([...rows, ...inventedRows(150_000)]) },
  { name: 'slow', answer: (rows) => successAnswer(rows) },
] as const satisfies readonly AnswerQuirk[];

export type AnswerKind = (typeof answerQuirks)[number]['name'];
export const answerKinds: readonly AnswerKind[] = answerQuirks.map(({ name }) => name);

/** An unusual answer of the call report. `write` makes the normal answer of records. */
export interface ReportQuirk {
  readonly name: string;
  readonly answer: (records: readonly Fields[], write: (records: readonly Fields[]) => Answer) => Answer;
}

/** More than a client should read: JSON may end in blanks. */
const hugeBytes = 17 * 1024 * 1024;

/** Answers that readers of the report have met, and failures that any HTTP service can have. */
export const reportQuirks = [
  { name: 'report-empty', answer: (_, write) => write([]) },
  { name: 'report-half', answer: (records, write) => write(records.slice(0, Math.floor(records.length / 2))) },
  {
    name: 'report-malformed',
    answer: (records, write) => write([...records, { CallID: '', Status: 'Answered' }, { UCID: null }]),
  },
  { name: 'report-no-data', answer: () => jsonAnswer(200, { status: 'fail', message: 'No Data Found' }) },
  { name: 'report-limit-text', answer: () => textError(errorTexts.limit) },
  { name: 'report-limit-other-text', answer: () => textError(undocumentedTexts.limit) },
  { name: 'report-unknown-error-text', answer: () => textError(undocumentedTexts.outage) },
  { name: 'report-429', answer: () => textError(errorTexts.limit, 429) },
  { name: 'report-401', answer: () => jsonAnswer(401, { status: 'false', message: 'Token Expired', data: null }) },
  { name: 'report-405', answer: () => ({ status: 405 }) },
  { name: 'report-500', answer: () => textError('Internal error', 500) },
  { name: 'report-html', answer: () => htmlPage },
  { name: 'report-truncated', answer: (records, write) => truncated(write(records)) },
  {
    name: 'report-huge',
    answer: (records, write) => ({ ...write(records), body: String(write(records).body).padEnd(hugeBytes) }),
  },
  { name: 'report-slow', answer: (records, write) => write(records) },
] as const satisfies readonly ReportQuirk[];

/** The names of the unusual answers of getAgentLogins and of the call report. */
export const pendingKinds = [...answerQuirks, ...reportQuirks].map(({ name }) => name);

/** The body of `POST /_simulator/answers`. It replaces the next successful answers of the operation of its kind. */
export const AnswersRequest = z.strictObject({
  kind: z.enum(pendingKinds),
  count: z.int().min(1).max(1000).default(1),
  /** Only answers to this account. */
  account: z.string().min(1).optional(),
  /** Duration of `slow` and `report-slow`. */
  seconds: z.number().min(0).max(600).default(20),
  /** Target of `redirect`. By default nothing listens there. */
  location: z.url().default('http://127.0.0.1:9/ca_apis/getAgentLogins'),
});
export type AnswersRequest = z.infer<typeof AnswersRequest>;

/** Requested answers in their order. */
export const createPendingAnswers = (accounts: readonly { readonly userName: string }[]) => {
  let pending: readonly AnswersRequest[] = [];

  return {
    /** False if there is no such account. */
    add(request: AnswersRequest): boolean {
      if (request.account !== undefined && accountNamed(accounts, request.account) === undefined) return false;
      pending = [...pending, request];
      return true;
    },
    /**
     * Removes and returns the next one of these quirks for an account, with how many seconds the answer takes; undefined means
     * the normal answer.
     */
    next<Quirk extends { readonly name: string }>(userName: string, quirks: readonly Quirk[]) {
      const first = pending.find(
        ({ account = userName, kind }) => isSameUser(account, userName) && quirks.some(({ name }) => name === kind),
      );
      const quirk = quirks.find(({ name }) => name === first?.kind);
      if (first === undefined || quirk === undefined) return undefined;

      const rest = first.count > 1 ? [{ ...first, count: first.count - 1 }] : [];
      pending = pending.flatMap((one) => (one === first ? rest : [one]));
      return { quirk, seconds: first.kind.endsWith('slow') ? first.seconds : 0, location: first.location };
    },
    remaining: (): readonly Pick<AnswersRequest, 'kind' | 'count' | 'account'>[] =>
      pending.map(({ kind, count, account }) => ({ kind, count, ...(account !== undefined && { account }) })),
  };
};

export type PendingAnswers = ReturnType<typeof createPendingAnswers>;
