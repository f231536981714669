import type { ServiceAnswer } from '../agent-login/answer.ts';
import { refusalIn, wordsIn } from '../agent-login/refusal.ts';
import { at, bodyFor, type PolledAccount, pollingKey, type ServiceRequest } from '../agent-login/request.ts';
import type { PollFailure } from '../feed/problem.ts';
import { isJsonObject, type Json, parseJson } from '../json/parse-json.ts';
import { fail, ok, type Result } from '../result.ts';

/** Where the service's own documentation puts things; the specification leaves them open, so an account may differ. */
const defaults = { path: '/ca_apis/CAToken/generateToken', header: 'apiKey', answerField: 'token' };

const policyOf = ({ token }: PolledAccount) => ({
  ...defaults,
  ...(token.kind === 'generate' &&
    Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined))),
});

/** Asks for a token. */
export const tokenRequest = (account: PolledAccount): ServiceRequest => {
  const { path, header } = policyOf(account);
  return { url: at(account, path), headers: { [header]: pollingKey(account) }, body: bodyFor(account) };
};

/** What fits into a header, and is no longer than a server takes. */
const usable = /^[\x21-\x7e]{1,8000}$/;

/** The token in an answer, or why there is none. */
export const readToken = (
  account: PolledAccount,
  { status, text, retryAfterSeconds }: ServiceAnswer,
): Result<string, PollFailure> => {
  const answer = parseJson(text);
  const json = answer.ok ? answer.value : undefined;
  const token = json === undefined ? undefined : fieldIn(json, policyOf(account).answerField);
  if (status < 300 && typeof token === 'string' && usable.test(token)) return ok(token);

  const refusal = refusalIn(status, wordsIn(json, text));
  const reason = refusal === 'limit' ? 'token-limit' : 'no-token';
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
