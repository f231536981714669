import type { Account, PolledAccount } from '../accounts/accounts.ts';
import { isJsonObject, type Json, type JsonObject, parseJsonWithoutBadParts, textOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';

export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  /** The Retry-After header in seconds, from a number or a date. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Never throws: whatever prevents an answer is one of the known failures. No redirect is followed. */
type Ask = (request: ServiceRequest) => Promise<Result<ServiceResponse, ServiceFailure>>;

export interface TelephonyService {
  /** Times out after `requestTimeoutMs`. */
  readonly post: Ask;
}

export interface ReportService {
  /** A GET with a body. */
  readonly get: Ask;
}

/** After this time a request that is given up has reached the service. */
export const requestTimeoutMs = 4_000;

/** A request with a body of JSON to the telephony service. Its headers hold credentials: never log or redirect it. */
export interface ServiceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const operationUrl = ({ baseUrl }: PolledAccount, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

/** A configured token may already have its scheme. */
export const credentialHeaders = (apiKey: string, token: string | undefined) => ({
  apiKey,
  ...(token !== undefined && { Authorization: /^bearer /i.test(token) ? token : `Bearer ${token}` }),
});

export const requestBody = ({ userName }: Account): string => JSON.stringify({ userName });

/** Why the service’s answer is of no use, or none came. No such problem logs an agent out. */
export const serviceProblems = [
  'timeout',
  'connection',
  'too-large',
  'redirect',
  'unsendable',
  'http-error',
  'not-json',
  'unexpected-answer',
  'rate-limited',
  'unauthorised',
  'rejected',
  'unknown-error',
  'no-token',
  'token-limit',
  'token-renewed',
  'aborted',
  'not-polled',
] as const;

export type ServiceProblem = (typeof serviceProblems)[number];

export interface ServiceFailure {
  readonly reason: ServiceProblem;
  readonly retryAfterSeconds?: number | undefined;
  /** No connection was made, so the service counted no request. */
  readonly isUnsent?: true | undefined;
  /** The token could not be had. Few may be requested in an hour, so each further attempt waits longer. */
  readonly isOfToken?: true;
}

/*
 * What an answer means. No status is documented for any error, errors come with 200, and “nothing found” comes as an error. So
 * the message decides: `messageOf` finds it, `serviceProblemOf` reads it, and `recordsIn` also looks at what was asked for.
 */

/** Whether a text that is no JSON is a message: not long, and no beginning of JSON or HTML. */
const isLine = (text: string): boolean => text.length <= 200 && !/^\s*[[{<]/.test(text);

/** No message of the service is longer. The patterns below take time for each pair of their words. */
const maxMessageLength = 500;

/** The beginning of `message`, else `error`, else a short text that is no JSON: in lower case, without a full stop. */
export const messageOf = (json: Json | undefined, text: string): string => {
  const fields = isJsonObject(json) ? [json['message'], json['error']] : [];
  const [first = ''] =
    json === undefined && isLine(text) ? [text] : fields.filter((field) => typeof field === 'string');
  return first.trim().slice(0, maxMessageLength).toLowerCase().replace(/\.$/, '');
};

/** Any wording of a limit on requests. Limited access, or access that is limited to some addresses, is another thing. */
const limit = /(?<!de|un)limit(?!ed (?:access|(?:to|by) \D))|\brate[ -]?limit|quota|too many|throttl|\bhits\b|exceed/;

const credential =
  /\b(?:user[ _-]?(?:name|id)|(?:api[ _-]?)?keys?|tokens?|credentials?|password)\b|auth(?:entic|ori[sz])/;

/** Words for a credential that is not accepted. A message that the service of tokens is busy, down or not available has none of them. */
const refusal =
  /unauth|invalid|expired|missing|incorrect|(?<!went )wrong|unknown (?:user|api|key|token)|denied|revoked|disabled|inactive|\bnot (?:valid|found|recogni[sz]ed|authori[sz]ed|authenticated|permitted|allowed|registered|active|enabled|correct)|(?:not|n['’]t) (?:match|exist)/;

const authenticationFailed = /\bauth(?:entication|ori[sz]ation) (?:has )?(?:failed|failure|error|required)\b/;

const meansBadCredentials = (message: string): boolean =>
  (credential.test(message) && refusal.test(message)) || authenticationFailed.test(message);

/** How the service says it, by its documentation. Beside 5xx a text in other words may be of a failure on the way. */
const documentedRefusal = /username or apikey is invalid/;

/** 403 without a text of its own. Another text, such as about an IP address, is not about the key. */
const forbidden = /^(?:(?:403 )?forbidden|access denied)?$/;

const isUnauthorised = (status: number, message: string): boolean =>
  status === 401 ||
  (status === 403 && (forbidden.test(message) || credential.test(message))) ||
  documentedRefusal.test(message);

/**
 * The problem that an answer's message and HTTP status report, if any. A known message decides, whatever the status. Only 200
 * and 201 promise a whole answer; some frameworks answer every POST with 201. 202 says that the answer is not ready, and 206
 * that it is a part.
 */
export const serviceProblemOf = (status: number, message: string): ServiceProblem | undefined => {
  if (status === 429 || limit.test(message)) return 'rate-limited';
  if (isUnauthorised(status, message)) return 'unauthorised';
  if (status === 403) return 'unknown-error';
  if (/(?:user ?name|key|token) should not be empty/.test(message)) return 'rejected';
  if (status >= 500) return 'http-error';
  if (meansBadCredentials(message)) return 'unauthorised';
  if (status < 400) return status === 200 || status === 201 ? undefined : 'unexpected-answer';
  return meansNoData(message) ? undefined : 'http-error';
};

/** The service sends this message, in an error, when nobody is logged in or a day has no calls. */
const meansNoData = (message: string): boolean => message === 'no data found';

/** The problem of an answer without what was asked for, once its message and status have reported none. */
export const problemWithoutContent = (message: string): ServiceProblem =>
  message === '' || message === 'success' ? 'unexpected-answer' : 'unknown-error';

export const isFailure = ({ status = null }: JsonObject): boolean =>
  /^(?:error|false|fail)/i.test(textOfJson(status) ?? '');

const transientProblems = new Set<ServiceProblem>(['timeout', 'connection', 'http-error', 'not-json']);

export const isTransient = ({ reason, retryAfterSeconds }: ServiceFailure): boolean =>
  transientProblems.has(reason) && retryAfterSeconds === undefined;

interface FoundRecords {
  readonly records: readonly unknown[];
  /**
   * Whether the answer has a documented form, as is the default. Beside the records of such an answer a message reports no
   * problem, and may name the limit.
   */
  readonly isDocumented?: boolean;
}

export const recordsIn = <Found extends FoundRecords>(
  { status, text, retryAfterSeconds }: ServiceResponse,
  find: (answer: Json, message: string) => Found | undefined,
  none: Found,
): Result<Found, ServiceFailure> => {
  const answer = parseJsonWithoutBadParts(text);
  const message = messageOf(answer, text);
  const found = answer === undefined ? undefined : find(answer, message);
  const isAnswered = found !== undefined && found.isDocumented !== false && found.records.length > 0;
  const problem = serviceProblemOf(status, isAnswered ? '' : message);
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  if (problem !== undefined) return failed(problem);
  if (meansNoData(message)) return ok(none);
  if (answer === undefined) return failed('not-json');
  return found === undefined ? failed(problemWithoutContent(message)) : ok(found);
};

/** The longest time of a run, in seconds: Lambda ends it then, well before the next slot ends. */
export const maxRunSeconds = 13;
