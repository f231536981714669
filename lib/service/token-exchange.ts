import { type PolledAccount, pollingKey } from '../accounts/accounts.ts';
import { withoutUndefined } from '../core/collections.ts';
import { isJsonObject, type Json, parseJsonWithoutBadParts } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import {
  isFailure,
  messageOf,
  operationUrl,
  problemWithoutContent,
  requestBody,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceRequest,
  type ServiceResponse,
  serviceProblemOf,
} from './service.ts';

/** The service's documentation has these. The specification leaves them open, so an account may configure others. */
const exchangeDefaults = { path: '/ca_apis/CAToken/generateToken', header: 'apiKey', answerField: 'token' };

const exchangeSettings = ({ token }: PolledAccount) => ({
  ...exchangeDefaults,
  ...(token.kind === 'generate' && withoutUndefined(token)),
});

export const tokenRequest = (account: PolledAccount): ServiceRequest => {
  const { path, header } = exchangeSettings(account);
  return { url: operationUrl(account, path), headers: { [header]: pollingKey(account) }, body: requestBody(account) };
};

/** What fits into a header and does not exceed the header limit of common servers. */
const tokenPattern = /^[\x21-\x7e]{1,8000}$/;

export const parseToken = (
  account: PolledAccount,
  { status, text, retryAfterSeconds }: ServiceResponse,
): Result<string, ServiceFailure> => {
  const json = parseJsonWithoutBadParts(text);
  const token = fieldIn(json, exchangeSettings(account).answerField);
  if (status < 300 && typeof token === 'string' && tokenPattern.test(token)) return ok(token);

  const message = messageOf(json, text);
  // Without a token, only the message of an answer that failed is an error.
  const isError = isJsonObject(json) && isFailure(json);
  const problem = serviceProblemOf(status, message) ?? (isError && problemWithoutContent(message));
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  if (problem === 'rate-limited') return failed('token-limit');
  if (problem === 'unauthorised' || problem === 'unknown-error') return failed(problem);
  return failed(status >= 500 ? 'http-error' : 'no-token');
};

const fieldIn = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      value,
    );
