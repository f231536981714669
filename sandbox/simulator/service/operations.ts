import * as z from 'zod';
import { isSameUser } from '../../../lib/accounts/account-index.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { fail, ok, type Result } from '../../../lib/core/result.ts';
import { type Answer, type Handle, jsonAnswer, type Received } from '../../http/serve.ts';
import type { Clock } from '../settings.ts';
import { accountNamed, type ServedAccount, type TokenRule } from './accounts.ts';
import type { PendingAnswers } from './answer-quirks.ts';
import {
  errorTexts,
  faultAnswers,
  loginRow,
  methodNotAllowed,
  notFound,
  type Operation,
  pathOf,
  type ServiceFault,
  successAnswer,
  textError,
  unauthorised,
} from './responses.ts';

/** Who a request says it comes from; empty where it does not say. */
export interface Credentials {
  readonly userName: string;
  readonly apiKey: string;
}

const Body = z.object({ userName: z.string() });

/** The claim in a request: the name in its body, the key in a header. */
const credentialsOf = ({ headers, body }: Received, keyHeader = 'apiKey'): Credentials => ({
  userName: Body.safeParse(tryParseJson(body.toString())).data?.userName ?? '',
  apiKey: String(headers[keyHeader.toLowerCase()] ?? ''),
});

/** The account whose limit a request counts towards: the key's, or else the one that is named. */
const accountForLimit = (
  accounts: readonly ServedAccount[],
  { userName, apiKey }: Credentials,
): ServedAccount | undefined => accounts.find(({ keys }) => keys.includes(apiKey)) ?? accountNamed(accounts, userName);

/** The account that a request may act for, or how it is refused: empty fields are told first. */
const authenticate = (
  { method }: Pick<Received, 'method'>,
  { userName, apiKey }: Credentials,
  account: ServedAccount | undefined,
): Result<ServedAccount, Answer> => {
  if (method !== 'POST') return fail(methodNotAllowed);
  if (userName === '') return fail(textError(errorTexts.noUserName));
  if (apiKey === '') return fail(textError(errorTexts.noApiKey));

  const isOwn = account?.keys.includes(apiKey) === true && isSameUser(account.userName, userName);
  return isOwn ? ok(account) : fail(textError(errorTexts.invalid));
};

/** What getAgentLogins answers from. */
export interface AgentLoginsSettings {
  readonly accounts: readonly ServedAccount[];
  /** How the sixth request of a minute is met: with an error text under HTTP 200, or with HTTP 429. */
  readonly limitStatus: 200 | 429;
  /** Answers that were asked for instead of good ones. */
  readonly pending: PendingAnswers;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
}

/** Lists who is logged in, five times a minute. */
const agentLogins =
  ({ accounts, limitStatus, pending, clock, stopped }: AgentLoginsSettings): Operation =>
  (request) => {
    const claim = credentialsOf(request);
    const charged = accountForLimit(accounts, claim);
    const isWithin = charged?.loginsLimit.countRequest() ?? true;

    return async () => {
      const account = authenticate(request, claim, charged);
      if (!account.ok) return account.problem;
      const { floor, tokens, userName } = account.value;
      if (!isWithin) return textError(errorTexts.limit, limitStatus);
      if (!tokens.isAccepted(request.headers.authorization)) return unauthorised;

      const { seconds, answer } = pending.next(userName) ?? { seconds: 0, answer: successAnswer };
      if (seconds > 0) await clock.sleep(seconds * 1000, stopped);
      return answer(floor.loggedInAt(clock.now()).map(loginRow));
    };
  };

/** Where, with which header and in which field a token is had: as publicly documented, or as the account has it. */
const tokenEndpointOf = (rule: TokenRule) => {
  const own = rule.kind === 'generate' ? rule : undefined;

  return {
    path: `/${(own?.path ?? '/ca_apis/CAToken/generateToken').replace(/^\/+/, '')}`,
    header: own?.header ?? 'apiKey',
    answerField: own?.answerField ?? 'token',
  };
};

/** The accounts whose tokens are generated at a path. */
const accountsWithTokenPath = (accounts: readonly ServedAccount[], path: string): readonly ServedAccount[] =>
  accounts.filter(({ tokenRule }) => tokenEndpointOf(tokenRule).path === path);

const tokenCredentials = (request: Received, accounts: readonly ServedAccount[]): Credentials => {
  const claims = accounts.map(({ tokenRule }) => credentialsOf(request, tokenEndpointOf(tokenRule).header));
  return claims.find(({ apiKey }) => apiKey !== '') ?? { ...credentialsOf(request), apiKey: '' };
};

/** Makes a token, ten times an hour. */
const generateToken =
  (allAccounts: readonly ServedAccount[]): Operation =>
  (request) => {
    const accounts = accountsWithTokenPath(allAccounts, pathOf(request));
    const claim = tokenCredentials(request, accounts);
    const charged = accountForLimit(accounts, claim);
    const isWithin = charged?.tokensLimit.countRequest() ?? true;

    return async () => {
      const account = authenticate(request, claim, charged);
      if (!account.ok) return account.problem;
      if (!isWithin) return textError(errorTexts.limit);

      const { tokenRule, tokens } = account.value;
      return jsonAnswer(200, { [tokenEndpointOf(tokenRule).answerField]: tokens.generate() });
    };
  };

/** What the service needs to know. */
export interface ServiceSettings extends AgentLoginsSettings {
  /** The fate of one request. */
  readonly fault: () => ServiceFault;
}

const unknownOperation: Operation = () => async () => notFound;

/** The operations of the service. Every request is counted when it arrives, whatever the fault in force makes of it. */
export const createService = (settings: ServiceSettings) => {
  const logins = agentLogins(settings);
  const tokens = generateToken(settings.accounts);

  const isToken = (path: string): boolean => accountsWithTokenPath(settings.accounts, path).length > 0;
  const operationAt = (path: string): Operation => {
    if (path === '/ca_apis/getAgentLogins') return logins;
    return isToken(path) ? tokens : unknownOperation;
  };
  const handle: Handle = (request) => {
    const answer = operationAt(pathOf(request))(request);
    const fault = settings.fault();
    return fault === 'none' ? answer() : faultAnswers[fault]();
  };

  return {
    /** Whether a path is the service's own, and not the control of the simulator. */
    isOwn: (path: string): boolean => path.startsWith('/ca_apis/') || isToken(path),
    handle,
  };
};
