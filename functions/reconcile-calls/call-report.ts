import { type PolledAccount, pollingKey } from '../../lib/accounts/accounts.ts';
import type { PostedRecord } from '../../lib/callback/classify-records.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonParts,
  parseJsonWithoutBadParts,
  textOfJson,
} from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import {
  credentialHeaders,
  isFailure,
  meansNoData,
  messageOf,
  operationUrl,
  problemOf,
  problemWithoutContent,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceRequest,
  type ServiceResponse,
} from '../../lib/service/service.ts';

/** How the report of an account is requested: the service documents neither field, and accounts differ in both. */
export interface ReportAccess {
  readonly form: 'paged' | 'whole';
  readonly withToken: boolean;
}

/** The kinds of access in the order in which they are tried: pages first, and the key alone first. */
export const reportAccesses = ({ token }: PolledAccount): readonly [ReportAccess, ...ReportAccess[]] => {
  const [paged, whole] = [{ form: 'paged', withToken: false } as const, { form: 'whole', withToken: false } as const];
  if (token.kind === 'none') return [paged, whole];
  return [paged, { ...paged, withToken: true }, whole, { ...whole, withToken: true }];
};

/** Problems that every day would have: to ask for other days could lock the account. */
export const isOfAccount = ({ reason, isOfToken }: ServiceFailure): boolean =>
  isOfToken === true || ['unauthorised', 'rejected', 'no-token'].includes(reason);

const accessProblems: readonly ServiceProblem[] = [
  'unauthorised',
  'rejected',
  'http-error',
  'not-json',
  'unexpected-answer',
  'too-large',
];

/** Whether the service may answer if it is asked in another way. After a status of 5xx it would not: that is its own fault. */
export const isAccessProblem = ({ reason }: ServiceFailure, status = 0): boolean =>
  accessProblems.includes(reason) && status < 500;

export const pageSize = 500;

/** The request for a page of a day (such as 2026-11-20, in the account's zone). Pages count from 1. */
export const reportRequest = (
  account: PolledAccount,
  { form }: ReportAccess,
  { day, page, token }: { readonly day: string; readonly page: number; readonly token: string | undefined },
): ServiceRequest => ({
  url: operationUrl(
    account,
    form === 'paged'
      ? `/ca_reports/fetchCdrByPagination?pageNo=${page}&pageSize=${pageSize}`
      : '/ca_reports/fetchCDRDetails',
  ),
  headers: credentialHeaders(pollingKey(account), token),
  body: JSON.stringify({ fromDate: `${day} 00:00:00`, toDate: `${day} 23:59:59`, userName: account.userName }),
});

export interface ReportPage {
  readonly records: readonly PostedRecord<JsonObject>[];
  readonly unreadable: number;
  /** How many records the day has, where the answer says so. */
  readonly total: number | undefined;
}

/** Errors come with status 200, so "no calls" takes an empty list, or the message for it. */
export const parseReport = ({
  status,
  text,
  retryAfterSeconds,
}: ServiceResponse): Result<ReportPage, ServiceFailure> => {
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  const answer = parseJsonWithoutBadParts(text);
  const message = messageOf(answer, text);
  const list = answer === undefined ? undefined : listIn(answer, text);
  // Beside records a message reports no problem, and may well name the limit.
  const problem = problemOf(status, list !== undefined && list.values.length > 0 ? '' : message);
  if (problem !== undefined) return failed(problem);
  if (meansNoData(message)) return ok({ records: [], unreadable: 0, total: 0 });
  if (answer === undefined) return failed('not-json');

  const { status: stated = null, totalCount } = isJsonObject(answer) ? answer : {};
  const total = countIn(totalCount);
  if (total === 0 && textOfJson(stated)?.toLowerCase() === 'success') return ok({ records: [], unreadable: 0, total });
  if (list === undefined) return failed(problemWithoutContent(message));
  const records = list.values.flatMap((value, index) =>
    isJsonObject(value) ? { value, text: String(list.texts[index]) } : [],
  );
  const unreadable = list.values.length - records.length;
  return unreadable > 0 && records.length === 0 ? failed('unexpected-answer') : ok({ records, unreadable, total });
};

/** The list of records, and each of them as it stands in the text. Some accounts get the bare list. */
const listIn = (
  answer: Json,
  text: string,
): { readonly values: readonly Json[]; readonly texts: readonly string[] } | undefined => {
  const textsOf = (valid: string) => jsonParts(valid).map((part) => part.text);
  if (Array.isArray(answer)) return { values: answer, texts: textsOf(text) };
  if (!isJsonObject(answer)) return undefined;

  const { details } = answer;
  if (!Array.isArray(details) || isFailure(answer)) return undefined;
  // Of two fields with one name, JSON has the last one.
  const part = jsonParts(text)
    .filter(({ name }) => name === 'details')
    .slice(-1);
  return { values: details, texts: part.flatMap((list) => textsOf(list.text)) };
};

const countIn = (value: Json | undefined): number | undefined =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
