import * as z from 'zod';
import { isSameUser } from '../../lib/accounts/accounts.ts';
import type { WireAgentField } from '../../lib/agents/normalise-agent.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { type Answer, jsonAnswer } from '../frame/serve.ts';
import { accountNamed } from './accounts.ts';
import type { LoggedIn } from './centre.ts';
import type { SentFields } from './sent-fields.ts';

export const errorTexts = {
  noUserName: 'userName should not be empty',
  noApiKey: 'apiKey should not be empty',
  invalid: 'userName or apiKey is Invalid',
  limit: 'Max limit exceeded',
} as const;

/** An error text. The specification names no status codes; the service answers 200. */
export const textError = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'error', message });

export const methodNotAllowed: Answer = {
  status: 405,
  headers: { 'content-type': 'text/plain', allow: 'POST' },
  body: 'Method Not Allowed',
};

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

const malformed = [
  null,
  { AgentName: 'Nobody', AgentState: 'READY', SkillName: '' },
  { AgentId: { id: 'nested' }, AgentState: ['READY'] },
  [{ AgentId: 'too-deep', AgentState: 'READY' }],
] as const;

const withFirst = (rows: readonly LoginRow[], change: (row: LoginRow) => Partial<LoginRow>): readonly LoginRow[] =>
  rows.map((row, index) => (index === 0 ? { ...row, ...change(row) } : row));

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

const inOddCase = (row: LoginRow): LoginRow => ({
  ...row,
  AgentState: swapCase(row.AgentState),
  SkillName: row.SkillName.replaceAll(', ', ','),
});

export const inventedRows = (count: number): readonly LoginRow[] =>
  Array.from({ length: count }, (_, index) => ({
    AgentId: `invented-${index}`,
    AgentName: `Invented ${index}`,
    PhoneNumber: '441632960000',
    AgentState: 'READY',
    SkillName: 'Sales, Support, Billing',
  }));

const truncated = ({ body = '', ...answer }: Answer): Answer => ({
  ...answer,
  body: String(body).slice(0, Math.floor((2 * String(body).length) / 3)),
});

/** More than a client should read: JSON may end in blanks. */
const hugeBytes = 17 * 1024 * 1024;

const rateLimited = () => textError(errorTexts.limit);
const otherRateLimited = () => textError('API rate limit hit. Please try after 1 minute');
const outage = () => textError('Internal Server Error');
const tooMany = () => textError(errorTexts.limit, 429);
const internalError = () => textError('Internal error', 500);
const maintenance = '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>';
const htmlPage = (): Answer => ({ status: 200, headers: { 'content-type': 'text/html' }, body: maintenance });

type AnswerQuirk = (rows: readonly LoginRow[], location: string) => Answer;

/** Unusual answers of getAgentLogins that clients have observed, and failures that any HTTP service can have. */
export const answerQuirks = {
  'rate-limit-text': rateLimited,
  'rate-limit-other-text': otherRateLimited,
  'unknown-error-text': outage,
  'invalid-text': () => textError(errorTexts.invalid),
  '401-status-false': () => jsonAnswer(401, { status: 'false', message: 'Token is expired' }),
  '429': tooMany,
  '405-no-json': () => methodNotAllowed,
  '500': internalError,
  html: htmlPage,
  'truncated-json': (rows) => truncated(successAnswer(rows)),
  'message-object': (rows) => successAnswer({ agents: rows }),
  'message-by-index': (rows) => successAnswer(Object.fromEntries(rows.entries())),
  'message-success-details': (rows) => successAnswer('success', { details: rows }),
  'no-data-found': () => textError('No Data Found'),
  'empty-list': () => successAnswer([]),
  'malformed-record': ([first, ...rows]) => successAnswer([...(first ? [first] : []), ...malformed, ...rows]),
  // The first agent twice, with two states.
  'duplicate-agent': (rows) =>
    successAnswer([
      ...rows,
      ...withFirst(rows.slice(0, 1), ({ AgentState }) => ({ AgentState: AgentState === 'ACW' ? 'READY' : 'ACW' })),
    ]),
  'odd-case': (rows) => successAnswer(rows.map(inOddCase)),
  'undocumented-fields': (rows) =>
    successAnswer(rows.map((row, index) => ({ ...row, Location: 'Pune', StateSeconds: 7 + index }))),
  'unknown-state': (rows) => successAnswer(withFirst(rows, () => ({ AgentState: 'Lunching' }))),
  redirect: (_, location) => ({ ...jsonAnswer(302, {}), headers: { location } }),
  huge: (rows) => successAnswer([...rows, ...inventedRows(150_000)]),
  slow: (rows) => successAnswer(rows),
} as const satisfies Readonly<Record<string, AnswerQuirk>>;

export type AnswerKind = keyof typeof answerQuirks;
export const answerKinds: readonly AnswerKind[] = keysOf(answerQuirks);

type ReportQuirk = (records: readonly SentFields[], write: (records: readonly SentFields[]) => Answer) => Answer;

export const reportQuirks = {
  'report-empty': (_, write) => write([]),
  'report-half': (records, write) => write(records.slice(0, Math.floor(records.length / 2))),
  'report-malformed': (records, write) => write([...records, { CallID: '', Status: 'Answered' }, { UCID: null }]),
  'report-no-data': () => jsonAnswer(200, { status: 'fail', message: 'No Data Found' }),
  'report-limit-text': rateLimited,
  'report-limit-other-text': otherRateLimited,
  'report-unknown-error-text': outage,
  'report-429': tooMany,
  'report-401': () => jsonAnswer(401, { status: 'false', message: 'Token Expired', data: null }),
  'report-405': () => ({ status: 405 }),
  'report-500': internalError,
  'report-html': htmlPage,
  'report-truncated': (records, write) => truncated(write(records)),
  'report-huge': (records, write) => ({ ...write(records), body: String(write(records).body).padEnd(hugeBytes) }),
  'report-slow': (records, write) => write(records),
} as const satisfies Readonly<Record<string, ReportQuirk>>;

export const pendingKinds = [...answerKinds, ...keysOf(reportQuirks)];

/** The body of `POST /_simulator/answers`. It replaces the next successful answers of the operation of its kind. */
export const AnswersRequest = z.strictObject({
  kind: z.enum(pendingKinds),
  count: z.int().min(1).max(1000).default(1),
  account: z.string().min(1).optional(),
  seconds: z.number().min(0).max(600).default(20),
  /** Target of `redirect`. By default nothing listens there. */
  location: z.url().default('http://127.0.0.1:9/ca_apis/getAgentLogins'),
});
type AnswersRequest = z.infer<typeof AnswersRequest>;

export const createPendingAnswers = (accounts: readonly { readonly userName: string }[]) => {
  let pending: readonly AnswersRequest[] = [];

  return {
    add(request: AnswersRequest): boolean {
      if (request.account !== undefined && accountNamed(accounts, request.account) === undefined) return false;
      pending = [...pending, request];
      return true;
    },
    /** Removes and returns the next one of these quirks for an account. Undefined means the normal answer. */
    next<Quirk>(userName: string, quirks: Readonly<Record<string, Quirk>>) {
      const first = pending.find(
        ({ account = userName, kind }) => isSameUser(account, userName) && Object.hasOwn(quirks, kind),
      );
      const answer = first && quirks[first.kind];
      if (first === undefined || answer === undefined) return undefined;

      const rest = first.count > 1 ? [{ ...first, count: first.count - 1 }] : [];
      pending = pending.flatMap((one) => (one === first ? rest : [one]));
      return { answer, seconds: first.kind.endsWith('slow') ? first.seconds : 0, location: first.location };
    },
    remaining: (): readonly Pick<AnswersRequest, 'kind' | 'count' | 'account'>[] =>
      pending.map(({ kind, count, account }) => ({ kind, count, ...(account !== undefined && { account }) })),
  };
};

export type PendingAnswers = ReturnType<typeof createPendingAnswers>;
