import { type PolledAccount, pollingKey } from '../../lib/accounts/accounts.ts';
import type { PostedRecord } from '../../lib/callback/classify-records.ts';
import { isJsonObject, type Json, type JsonObject, parseJsonWithoutBadParts, textOfJson } from '../../lib/core/json.ts';
import { jsonParts } from '../../lib/core/json-text.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import {
  credentialHeaders,
  isFailure,
  operationUrl,
  recordsIn,
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
  const paged = { form: 'paged', withToken: false } as const;
  const whole = { form: 'whole', withToken: false } as const;
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

/** Larger pages are refused. */
export const maxReportPageSize = 500;

interface AskedPage {
  /** Such as 2026-11-20, in the account's zone. */
  readonly day: string;
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize?: number | undefined;
  readonly token: string | undefined;
}

/** The request for a page of a day. */
export const reportRequest = (
  account: PolledAccount,
  { form }: ReportAccess,
  { day, page, pageSize = maxReportPageSize, token }: AskedPage,
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
  readonly total: number | undefined;
}

export const parseReport = (response: ServiceResponse): Result<ReportPage, ServiceFailure> => {
  const { text, retryAfterSeconds } = response;
  const found = recordsIn(response, (answer) => findRecords(answer, text), { records: [], total: 0 });
  if (!found.ok) return found;
  const { records: all, total } = found.value;
  const records = all.filter((record) => record !== undefined);
  const unreadable = all.length - records.length;
  if (unreadable > 0 && records.length === 0) return fail({ reason: 'unexpected-answer', retryAfterSeconds });
  return ok({ records, unreadable, total });
};

interface FoundReport {
  /** Each record as it stands in the text; undefined for what is no object. */
  readonly records: readonly (PostedRecord<JsonObject> | undefined)[];
  readonly total: number | undefined;
}

/** The list of records. Some accounts get it bare. A day without calls needs an empty list, or the total. */
const findRecords = (answer: Json, text: string): FoundReport | undefined => {
  if (Array.isArray(answer)) return { records: recordsOf(text), total: undefined };
  if (!isJsonObject(answer) || isFailure(answer)) return undefined;

  const { details, status = null, totalCount } = answer;
  const total = countIn(totalCount);
  // Of two fields with one name, JSON has the last one.
  const part = jsonParts(text).findLast(({ name }) => name === 'details');
  if (Array.isArray(details)) return { records: recordsOf(String(part?.text)), total };
  const isEmpty = total === 0 && textOfJson(status)?.toLowerCase() === 'success';
  return isEmpty ? { records: [], total } : undefined;
};

/** Each is read from its own text, as it is again when its row is derived anew: in the answer it lies two levels deeper. */
const recordsOf = (list: string): FoundReport['records'] =>
  jsonParts(list).map(({ text }) => {
    const value = parseJsonWithoutBadParts(text);
    return isJsonObject(value) ? { value, text } : undefined;
  });

/** Numbers are texts here, as they were sent. A count that nobody can read is none: the pages then end with an empty one. */
const countIn = (value: Json | undefined): number | undefined =>
  typeof value === 'string' && /^\s*\d{1,9}(?:\.0+)?\s*$/.test(value) ? Number(value) : undefined;
