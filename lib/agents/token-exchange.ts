import { isJsonObject, type Json, parseJson } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { PollFailure } from './feed.ts';
import { operationUrl, type PolledAccount, pollingKey, requestBody, type ServiceRequest } from './get-agent-logins.ts';
import { messageOf, problemOf, type ServiceResponse } from './parse-agent-logins.ts';

/** Where the service's own documentation puts things; the specification leaves them open, so an account may differ. */
const exchangeDefaults = { path: '/ca_apis/CAToken/generateToken', header: 'apiKey', answerField: 'token' };

const exchangeSettings = ({ token }: PolledAccount) => ({
  ...exchangeDefaults,
  ...(token.kind === 'generate' &&
    Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined))),
});

/** Asks for a token. */
export const tokenRequest = (account: PolledAccount): ServiceRequest => {
  const { path, header } = exchangeSettings(account);
  return { url: operationUrl(account, path), headers: { [header]: pollingKey(account) }, body: requestBody(account) };
};

/** What fits into a header, and is no longer than a server takes. */
const tokenPattern = /^[\x21-\x7e]{1,8000}$/;

/** The token in an answer, or why there is none. */
export const parseToken = (
  account: PolledAccount,
  { status, text, retryAfterSeconds }: ServiceResponse,
): Result<string, PollFailure> => {
  const answer = parseJson(text);
  const json = answer.ok ? answer.value : undefined;
  const token = json === undefined ? undefined : fieldIn(json, exchangeSettings(account).answerField);
  if (status < 300 && typeof token === 'string' && tokenPattern.test(token)) return ok(token);

  const refusal = problemOf(status, messageOf(json, text));
  const reason = refusal === 'rate-limited' ? 'token-limit' : 'no-token';
  return fail({ reason: refusal === 'unauthorised' ? refusal : reason, retryAfterSeconds });
};

/** A field by its path, as in `data.token`. */
const fieldIn = (value: Json, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) =>
        inner !== undefined && isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined,
      value,
    );
