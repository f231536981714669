import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import { fail, ok, type Result } from '../../../lib/core/result.ts';
import type { Clock } from '../../clock.ts';
import { type Answer, jsonAnswer, type Received } from '../../http/serve.ts';
import { arrayText, type Fields, localTime } from '../summary.ts';
import { accountForLimit, isOwn, type ServedAccount } from './accounts.ts';
import {
  errorTexts,
  type Operation,
  type PendingAnswers,
  type ReportQuirk,
  reportQuirks,
  textError,
} from './answers.ts';

/** Settings of getAgentLogins and of the call report. */
export interface ServiceSettings {
  readonly accounts: readonly ServedAccount[];
  /** Unusual answers that replace the next successful ones. */
  readonly pending: PendingAnswers;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
}

/** The paths of the report: all records of a day at once, or a page of them. */
export const reportPaths = ['/ca_reports/fetchCDRDetails', '/ca_reports/fetchCdrByPagination'] as const;
const [, pagedPath] = reportPaths;

/** Reports the calls of a day. The limit is two requests a minute over both paths. */
export const callReport =
  ({ accounts, pending, clock, stopped }: ServiceSettings): Operation =>
  (request) => {
    const sent = readBody(request);
    const limited = accountForLimit(accounts, sent);
    const isWithin = limited?.reportsLimit.countRequest() ?? true;

    return async () => {
      const account = authenticate(request, sent, limited);
      if (!account.ok) return account.problem;
      if (!isWithin) return textError(errorTexts.limit);

      const { report, timeZone, userName } = account.value;
      const page = pageOf(request, sent, localTime(clock.now(), timeZone).slice(0, 10));
      if (!page.ok) return jsonAnswer(200, { message: page.problem, status: 'fail' });

      const write = (records: readonly Fields[]) => answerOf(records, page.value, report.settings().list);
      const records = report.records(sent.fromDate, sent.toDate);
      const odd = pending.next<ReportQuirk>(userName, reportQuirks);
      if (odd === undefined) return write(records);
      if (odd.seconds > 0) await clock.sleep(odd.seconds * 1000, stopped);
      return odd.quirk.answer(records, write);
    };
  };

/** A page, or undefined for all records at once. */
type Page = { readonly number: number; readonly size: number } | undefined;

/** JSON is written by hand, so that ids keep their digits. */
const answerOf = (records: readonly Fields[], page: Page, list: 'details' | 'bare'): Answer => {
  const json = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
  if (page === undefined) {
    const all = arrayText(records, 'compact');
    return json(list === 'bare' ? all : `{"details":${all}}`);
  }
  const details = arrayText(records.slice((page.number - 1) * page.size, page.number * page.size), 'compact');
  return json(`{"status":"success","message":"success","totalCount":${records.length},"details":${details}}`);
};

const maxPageSize = 500;
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number);
const PageQuery = z.object({
  pageNo: wholeNumber.default(1),
  pageSize: wholeNumber.pipe(z.int().max(maxPageSize)).default(100),
});

/** The page of a request with correct dates, or what is wrong with it. */
const pageOf = ({ path }: Pick<Received, 'path'>, dates: Dates, today: string): Result<Page, string> => {
  const wrong = problemOfDates(dates, today);
  if (wrong !== undefined) return fail(wrong);

  const { pathname, searchParams } = new URL(path, 'http://service');
  if (pathname !== pagedPath) return ok(undefined);

  const query = PageQuery.safeParse(Object.fromEntries(searchParams));
  return query.success
    ? ok({ number: query.data.pageNo, size: query.data.pageSize })
    : fail(`pageNo should be a number, and pageSize a number up to ${maxPageSize}`);
};

const text = z.string().catch('');
const Body = z.object({ userName: text, fromDate: text, toDate: text });

interface ReportBody extends z.infer<typeof Body> {
  readonly apiKey: string;
  /** Whether the body is a JSON object. */
  readonly hasBody: boolean;
}

type Dates = Pick<ReportBody, 'fromDate' | 'toDate'>;

const readBody = ({ headers, body }: Received): ReportBody => {
  const read = Body.safeParse(tryParseJson(body.toString()));
  const fields = read.data ?? { userName: '', fromDate: '', toDate: '' };
  return { ...fields, apiKey: String(headers['apikey'] ?? ''), hasBody: read.success };
};

/** Unlike elsewhere, errors have the status "false", or "fail" if a request is wrong. */
const falseAnswer = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'false', message });

/** The answer of the service to most failures of authentication, whatever was sent. */
const missingKey = falseAnswer('Missing userName or apiKey', 401);
const bareNotAllowed: Answer = { status: 405 };

/** The account of a request, or the error answer. */
const authenticate = (
  request: Received,
  { userName, apiKey, hasBody }: Pick<ReportBody, 'userName' | 'apiKey' | 'hasBody'>,
  account: ServedAccount | undefined,
): Result<ServedAccount, Answer> => {
  const { authorization } = request.headers;
  if (request.method !== 'GET') return fail(authorization === undefined ? bareNotAllowed : missingKey);
  if (!hasBody) return fail(falseAnswer('Invalid Json Pass Valid Json'));
  if (userName === '' || apiKey === '') return fail(missingKey);
  if (!isOwn(account, { userName, apiKey })) return fail(falseAnswer(errorTexts.invalid, 401));

  return isTokenRight(request, account) ? ok(account) : fail(missingKey);
};

const isTokenRight = ({ path, headers }: Received, { report, tokens }: ServedAccount): boolean => {
  const { token } = report.settings();
  if (token === 'refused') return headers.authorization === undefined;
  if (token === 'ignored' || !path.startsWith(pagedPath)) return true;
  return headers.authorization !== undefined && tokens.isAccepted(headers.authorization);
};

/** What is wrong with the dates of a request. A day of the future is refused, the rest of today is not. */
const problemOfDates = ({ fromDate, toDate }: Dates, today: string): string | undefined => {
  if (fromDate === '' || toDate === '') return 'Missing fromDate and toDate';

  const wrong = Object.entries({ fromDate, toDate }).find(([, date]) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date));
  if (wrong) return `Invalid ${wrong[0]} format. Please pass the date in the format yyyy-MM-dd HH:mm:ss`;
  if (fromDate.slice(0, 10) !== toDate.slice(0, 10)) return 'fromDate and toDate should be of the same day';
  return fromDate.slice(0, 10) > today ? 'fromDate and toDate should not be future dates' : undefined;
};
