import * as z from 'zod';
import { type Account, isSameUser } from '../../lib/accounts/accounts.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { FaultMode } from '../frame/faults.ts';
import type { SandboxClock } from '../frame/lifecycle.ts';
import { type Answer, type Handle, jsonAnswer, type Received } from '../frame/serve.ts';
import { accountNamed, type ServedAccount } from './accounts.ts';
import {
  answerQuirks,
  errorTexts,
  loginRow,
  methodNotAllowed,
  type PendingAnswers,
  reportQuirks,
  successAnswer,
  textError,
} from './answers.ts';
import { type AskedPage, pageOf, type ReportSettings } from './call-report.ts';
import { type SentFields, wallTime } from './sent-fields.ts';

interface ServiceSettings {
  readonly accounts: readonly ServedAccount[];
  readonly pending: PendingAnswers;
  readonly fault: () => FaultMode;
  readonly clock: SandboxClock;
  readonly stopped: AbortSignal;
}

interface Sent {
  readonly userName: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly apiKey: string;
  readonly hasBody: boolean;
}

type Refusal = readonly [applies: boolean, answer: Answer];

interface Operation {
  readonly limit: keyof ServedAccount['limits'];
  readonly keyHeader?: (account: Account) => string;
  /** The first that applies is answered. `account` is the one whose name and key were sent. */
  readonly refusals: (request: Received, sent: Sent, account: ServedAccount | undefined) => readonly Refusal[];
  readonly answer: (account: ServedAccount, request: Received, sent: Sent) => Promise<Answer>;
}

const loginsPath = '/ca_apis/getAgentLogins';
const reportPath = '/ca_reports/fetchCDRDetails';
const pagedPath = '/ca_reports/fetchCdrByPagination';

const text = z.string().catch('');
const Body = z.object({ userName: text, fromDate: text, toDate: text });

const faultAnswers = {
  throttle: textError(errorTexts.limit, 429),
  error: textError('Internal error', 500),
} as const;

/** The answer to a wrong, expired or missing token. By the specification all errors have the status "error". */
const unauthorised = textError('Token is missing, wrong or expired', 401);

/** Unlike elsewhere, errors of the report have the status "false", or "fail" if a request is wrong. */
const falseAnswer = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'false', message });
/** The answer of the report to most failures of authentication, whatever was sent. */
const missingKey = falseAnswer('Missing userName or apiKey', 401);

const tokenEndpointOf = ({ token }: Account) => {
  const own = token?.kind === 'generate' ? token : undefined;

  return {
    path: `/${(own?.path ?? '/ca_apis/CAToken/generateToken').replace(/^\/+/, '')}`,
    header: own?.header ?? 'apiKey',
    answerField: own?.answerField ?? 'token',
  };
};

const credentialRefusals: Operation['refusals'] = ({ method }, { userName, apiKey }, account) => [
  [method !== 'POST', methodNotAllowed],
  [userName === '', textError(errorTexts.noUserName)],
  [apiKey === '', textError(errorTexts.noApiKey)],
  [account === undefined, textError(errorTexts.invalid)],
];

/** The operations of the service. Every request is counted when it arrives, even if a fault then applies. */
export const createService = ({ accounts, pending, fault, clock, stopped }: ServiceSettings) => {
  const logins: Operation = {
    limit: 'logins',
    refusals: credentialRefusals,
    async answer({ userName, tokens, centre }, { headers }) {
      if (!tokens.isAccepted(headers.authorization)) return unauthorised;
      const odd = pending.next(userName, answerQuirks);
      if (odd !== undefined && odd.seconds > 0) await clock.sleep(odd.seconds * 1000, stopped);
      const rows = centre.loggedInAt(clock.now()).map(loginRow);
      return odd === undefined ? successAnswer(rows) : odd.answer(rows, odd.location);
    },
  };
  const tokens: Operation = {
    limit: 'tokens',
    keyHeader: (account) => tokenEndpointOf(account).header,
    refusals: credentialRefusals,
    answer: async (account) => jsonAnswer(200, { [tokenEndpointOf(account).answerField]: account.tokens.generate() }),
  };
  const report: Operation = {
    limit: 'reports',
    refusals: ({ method, path, headers }, { hasBody, userName, apiKey }, account) => [
      [method !== 'GET' && headers.authorization === undefined, { status: 405 }],
      [method !== 'GET', missingKey],
      [!hasBody, falseAnswer('Invalid Json Pass Valid Json')],
      [userName === '' || apiKey === '', missingKey],
      [account === undefined, falseAnswer(errorTexts.invalid, 401)],
      [account !== undefined && !isTokenRight(path, headers.authorization, account), missingKey],
    ],
    async answer({ report, timeZone, userName }, { path }, sent) {
      const problem = problemOfDates(sent, wallTime(clock.now(), timeZone).slice(0, 10));
      if (problem !== undefined) return jsonAnswer(200, { message: problem, status: 'fail' });
      const page = askedPage(path);
      if (page === 'wrong') return jsonAnswer(200, { message: wrongPage, status: 'fail' });

      const write = (records: readonly SentFields[]) => reportAnswer(records, page, report.settings());
      const records = report.records(sent.fromDate, sent.toDate);
      const odd = pending.next(userName, reportQuirks);
      if (odd === undefined) return write(records);
      if (odd.seconds > 0) await clock.sleep(odd.seconds * 1000, stopped);
      return odd.answer(records, write);
    },
  };

  const withTokenPath = (path: string) => accounts.filter((account) => tokenEndpointOf(account).path === path);
  const operations: Readonly<Record<string, Operation>> = {
    [loginsPath]: logins,
    [reportPath]: report,
    [pagedPath]: report,
  };
  const operationAt = (path: string): Operation | undefined =>
    operations[path] ?? (withTokenPath(path).length > 0 ? tokens : undefined);

  /** The first of the headers that has a key. Accounts with a token's path may differ in the header. */
  const sentIn = ({ headers, body, path }: Received, { keyHeader }: Operation): Sent => {
    const read = Body.safeParse(tryParseJson(body.toString()));
    const names = keyHeader ? withTokenPath(pathOf(path)).map(keyHeader) : ['apiKey'];
    const [apiKey = ''] = names.map((name) => String(headers[name.toLowerCase()] ?? '')).filter((key) => key !== '');
    return { ...(read.data ?? { userName: '', fromDate: '', toDate: '' }), apiKey, hasBody: read.success };
  };

  /** Counts a request, and returns how it is answered. The limit that counts is the one of the key's owner, or else of the named account. */
  const received = (operation: Operation, request: Received): (() => Promise<Answer>) => {
    const sent = sentIn(request, operation);
    const owner = accounts.find(({ apiKeys }) => apiKeys.includes(sent.apiKey));
    const limited = owner ?? accountNamed(accounts, sent.userName);
    const isWithin = limited?.limits[operation.limit].countRequest() ?? true;

    return async () => {
      const account = owner && isSameUser(owner.userName, sent.userName) ? owner : undefined;
      const [, refusal] = operation.refusals(request, sent, account).find(([applies]) => applies) ?? [];
      if (account === undefined || refusal !== undefined) return refusal ?? unauthorised;
      return isWithin ? operation.answer(account, request, sent) : textError(errorTexts.limit);
    };
  };
  const handle: Handle = async (request) => {
    const operation = operationAt(pathOf(request.path));
    const answer = operation ? received(operation, request) : () => textError('Not found', 404);
    const mode = fault();
    if (mode === 'timeout') return await new Promise<never>(() => undefined);
    return mode === 'none' ? await answer() : faultAnswers[mode];
  };

  return {
    isOwn: (path: string): boolean => /^\/ca_(?:apis|reports)\//.test(path) || operationAt(pathOf(path)) !== undefined,
    handle,
  };
};

const pathOf = (path: string): string => path.split('?')[0] ?? '/';

const isTokenRight = (path: string, authorization: string | undefined, { report, tokens }: ServedAccount): boolean => {
  const { token } = report.settings();
  if (token === 'refused') return authorization === undefined;
  if (token === 'ignored' || pathOf(path) !== pagedPath) return true;
  return authorization !== undefined && tokens.isAccepted(authorization);
};

/** What is wrong with the dates of a request. A day of the future is refused, the rest of today is not. */
const problemOfDates = ({ fromDate, toDate }: Sent, today: string): string | undefined => {
  if (fromDate === '' || toDate === '') return 'Missing fromDate and toDate';

  const wrong = Object.entries({ fromDate, toDate }).find(([, date]) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date));
  if (wrong) return `Invalid ${wrong[0]} format. Please pass the date in the format yyyy-MM-dd HH:mm:ss`;
  if (fromDate.slice(0, 10) !== toDate.slice(0, 10)) return 'fromDate and toDate should be of the same day';
  return fromDate.slice(0, 10) > today ? 'fromDate and toDate should not be future dates' : undefined;
};

const maxPageSize = 500;
const wrongPage = `pageNo should be a number, and pageSize a number up to ${maxPageSize}`;
const digits = z.string().regex(/^[1-9]\d{0,5}$/);
const wholeNumber = digits.transform(Number);
const PageQuery = z.object({
  pageNo: wholeNumber.default(1),
  pageSize: wholeNumber.pipe(z.int().max(maxPageSize)).default(100),
});

const askedPage = (path: string): AskedPage | undefined | 'wrong' => {
  const { pathname, searchParams } = new URL(path, 'http://service');
  if (pathname !== pagedPath) return undefined;
  return PageQuery.safeParse(Object.fromEntries(searchParams)).data ?? 'wrong';
};

const reportAnswer = (
  records: readonly SentFields[],
  page: AskedPage | undefined,
  settings: ReportSettings,
): Answer => {
  const json = (body: unknown): Answer => ({ ...jsonAnswer(200, {}), body: JSON.stringify(body) });
  if (page === undefined) return json(settings.list === 'bare' ? records : { details: records });
  return json(pageOf(records, page, settings));
};
