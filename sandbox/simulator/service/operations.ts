import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import { fail, ok, type Result } from '../../../lib/core/result.ts';
import type { FaultMode } from '../../faults.ts';
import { type Answer, type Handle, jsonAnswer, type Received } from '../../http/serve.ts';
import type { SimulatedAccount } from '../settings.ts';
import { accountForLimit, type Credentials, isOwn, type ServedAccount } from './accounts.ts';
import {
  type AnswerQuirk,
  answerQuirks,
  errorTexts,
  faultAnswers,
  loginRow,
  methodNotAllowed,
  notFound,
  type Operation,
  pathOf,
  successAnswer,
  textError,
  unauthorised,
} from './answers.ts';
import { callReport, reportPaths, type ServiceSettings } from './call-report.ts';

/**
 * The operations of the service. Every request is counted when it arrives, even if a fault then applies. `fault` is the
 * fault of the next request.
 */
export const createService = (settings: ServiceSettings & { readonly fault: () => FaultMode }) => {
  const logins = agentLogins(settings);
  const tokens = generateToken(settings.accounts);
  const reports = callReport(settings);

  const isToken = (path: string): boolean => accountsWithTokenPath(settings.accounts, path).length > 0;
  const operationAt = (path: string): Operation => {
    if (path === '/ca_apis/getAgentLogins') return logins;
    if (reportPaths.some((own) => own === path)) return reports;
    return isToken(path) ? tokens : unknownOperation;
  };
  const handle: Handle = (request) => {
    const answer = operationAt(pathOf(request))(request);
    const fault = settings.fault();
    return fault === 'none' ? answer() : faultAnswers[fault]();
  };

  return {
    /** Whether a path belongs to the service and not to the control endpoints. */
    isOwn: (path: string): boolean => /^\/ca_(?:apis|reports)\//.test(path) || isToken(path),
    handle,
  };
};

const unknownOperation: Operation = () => async () => notFound;

/** Lists the agents that are logged in. The limit is five requests a minute. */
const agentLogins =
  ({ accounts, pending, clock, stopped }: ServiceSettings): Operation =>
  (request) => {
    const credentials = credentialsOf(request);
    const limited = accountForLimit(accounts, credentials);
    const isWithin = limited?.loginsLimit.countRequest() ?? true;

    return async () => {
      const account = authenticate(request, credentials, limited);
      if (!account.ok) return account.problem;
      const { floor, tokens, userName } = account.value;
      if (!isWithin) return textError(errorTexts.limit);
      if (!tokens.isAccepted(request.headers.authorization)) return unauthorised;

      const { quirk, seconds, location } = pending.next<AnswerQuirk>(userName, answerQuirks) ?? normalAnswer;
      if (seconds > 0) await clock.sleep(seconds * 1000, stopped);
      return quirk.answer(floor.loggedInAt(clock.now()).map(loginRow), location);
    };
  };

const normalAnswer: {
  readonly quirk: Pick<AnswerQuirk, 'answer'>;
  readonly seconds: number;
  readonly location: string;
} = {
  quirk: { answer: (rows) => successAnswer(rows) },
  seconds: 0,
  location: '',
};

/** Generates a token. The limit is ten requests an hour. */
const generateToken =
  (allAccounts: readonly ServedAccount[]): Operation =>
  (request) => {
    const accounts = accountsWithTokenPath(allAccounts, pathOf(request));
    const credentials = tokenCredentials(request, accounts);
    const limited = accountForLimit(accounts, credentials);
    const isWithin = limited?.tokensLimit.countRequest() ?? true;

    return async () => {
      const account = authenticate(request, credentials, limited);
      if (!account.ok) return account.problem;
      if (!isWithin) return textError(errorTexts.limit);

      return jsonAnswer(200, { [tokenEndpointOf(account.value).answerField]: account.value.tokens.generate() });
    };
  };

/** Path, header and answer field for tokens: the documented ones, or the account's own. */
const tokenEndpointOf = ({ token }: SimulatedAccount) => {
  const own = token?.kind === 'generate' ? token : undefined;

  return {
    path: `/${(own?.path ?? '/ca_apis/CAToken/generateToken').replace(/^\/+/, '')}`,
    header: own?.header ?? 'apiKey',
    answerField: own?.answerField ?? 'token',
  };
};

/** The accounts that generate tokens at a path. */
const accountsWithTokenPath = (accounts: readonly ServedAccount[], path: string): readonly ServedAccount[] =>
  accounts.filter((account) => tokenEndpointOf(account).path === path);

const tokenCredentials = (request: Received, accounts: readonly ServedAccount[]): Credentials => {
  const candidates = accounts.map((account) => credentialsOf(request, tokenEndpointOf(account).header));
  return candidates.find(({ apiKey }) => apiKey !== '') ?? { ...credentialsOf(request), apiKey: '' };
};

const Body = z.object({ userName: z.string() });

/** The credentials of a request: the name in its body, the key in a header. */
const credentialsOf = ({ headers, body }: Received, keyHeader = 'apiKey'): Credentials => ({
  userName: Body.safeParse(tryParseJson(body.toString())).data?.userName ?? '',
  apiKey: String(headers[keyHeader.toLowerCase()] ?? ''),
});

/** The account of a request, or the error answer. Empty fields are reported first. */
const authenticate = (
  { method }: Pick<Received, 'method'>,
  { userName, apiKey }: Credentials,
  account: ServedAccount | undefined,
): Result<ServedAccount, Answer> => {
  if (method !== 'POST') return fail(methodNotAllowed);
  if (userName === '') return fail(textError(errorTexts.noUserName));
  if (apiKey === '') return fail(textError(errorTexts.noApiKey));

  return isOwn(account, { userName, apiKey }) ? ok(account) : fail(textError(errorTexts.invalid));
};
