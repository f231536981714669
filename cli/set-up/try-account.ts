import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { secretRedactor } from '../../lib/accounts/redact-secrets.ts';
import { getAgentLogins } from '../../lib/agents/get-agent-logins.ts';
import type { AgentLogins } from '../../lib/agents/normalise-agent.ts';
import { parseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import {
  messageOf,
  requestTimeoutMs,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceResponse,
  type TelephonyService,
} from '../../lib/service/service.ts';
import { parseToken, tokenRequest } from '../../lib/service/token-exchange.ts';
import { counted } from '../frame/texts.ts';

/** Sends one request as the poller does. Returns the answer, or what is wrong and what to change, without keys and tokens. */
export const tryAccount = async (
  service: TelephonyService,
  account: PolledAccount,
): Promise<Result<string, string>> => {
  const token = await requestToken(service, account);
  if (!token.ok) return token;

  let response: ServiceResponse | undefined;
  const watched: TelephonyService = {
    async post(request) {
      const answer = await service.post(request);
      response = answer.ok ? answer.value : undefined;
      return answer;
    },
  };
  const logins = await getAgentLogins(watched, account, token.value);
  if (logins.ok) return ok(describeLogins(logins.value));

  const message = response && messageIn(response);
  const shown = [response && `HTTP ${response.status}`, redact(message, account, token.value)].filter(Boolean);
  const problem = adviceOf(logins.problem, refused(account, message));
  return fail(`${problem}${shown.length === 0 ? '' : ` (${shown.join(': ')})`}`);
};

const describeLogins = ({ agents, unreadable }: AgentLogins): string => {
  const logins = `${counted(agents.length, 'agent is', 'agents are')} logged in`;
  return unreadable.length === 0 ? `${logins}.` : `${logins}, and ${unreadable.length} more cannot be read.`;
};

/** The token of an account, if it has one. The service's message is not shown: it may be the token. */
const requestToken = async (
  service: TelephonyService,
  account: PolledAccount,
): Promise<Result<string | undefined, string>> => {
  const { token } = account;
  if (token.kind !== 'generate') return ok(token.kind === 'static' ? token.value : undefined);

  const answer = await service.post(tokenRequest(account));
  if (!answer.ok) return fail(adviceOf(answer.problem, noTokenIssued));
  const parsed = parseToken(account, answer.value);
  return parsed.ok ? parsed : fail(`${adviceOf(parsed.problem, noTokenIssued)} (HTTP ${answer.value.status})`);
};

const ifKeyAlone = 'If the account needs the key alone, set token to {"kind": "none"}.';

/** What to change. Where the credentials are wrong, it depends on what was asked for. */
const advice: Partial<Record<ServiceProblem, string>> = {
  timeout: `The service did not answer within ${requestTimeoutMs / 1000} seconds. Check baseUrl, and try again later.`,
  connection: 'The address cannot be reached. Check baseUrl, and whether the network of this machine allows it.',
  redirect: 'The address redirects to another one. Name that one in baseUrl, as redirects are not followed.',
  'too-large': 'The answer exceeds 16 MB, so it is no list of agents. Check baseUrl.',
  unsendable: 'The request cannot be sent. Check baseUrl and token.header.',
  'http-error':
    'The service reports an error. Check baseUrl, to which paths such as /ca_apis/getAgentLogins are added.',
  'not-json': 'The answer is no JSON, but perhaps a web page. Check baseUrl.',
  'unexpected-answer': 'The answer is JSON, but no list of agents. Check baseUrl.',
  rejected:
    'The service says that userName or the first key is empty. Check baseUrl, and whether a proxy changes requests.',
  'unknown-error':
    'The service answers with an error that Callfeed does not know, and that names no credential. Try again in a minute. ' +
    'If it is about the address that a request comes from, have the service allow it.',
  'no-token': `The service issued no token. Check path, header and answerField of token. ${ifKeyAlone}`,
  'token-limit': 'The ten tokens of an hour are used up. Try again in an hour.',
  'rate-limited': 'The five requests of a minute are used up, perhaps by a running deployment. Wait for a minute.',
};

const adviceOf = ({ reason }: ServiceFailure, ifUnauthorised: string): string =>
  reason === 'unauthorised' ? ifUnauthorised : (advice[reason] ?? reason);

const noTokenIssued = `The service issues no token for this userName and the first key. Check both. ${ifKeyAlone}`;

const otherKinds: Readonly<Record<PolledAccount['token']['kind'], string>> = {
  none: 'set token to {"kind": "generate"}',
  static: 'correct its value, or set token to {"kind": "generate"} or {"kind": "none"}',
  generate: 'set token to {"kind": "none"}',
};

/** The service answers a wrong kind of token like wrong credentials, sometimes with the same message. */
const refused = ({ token: { kind } }: PolledAccount, message = ''): string =>
  /user ?name|\bkey|apikey/.test(message)
    ? `The service does not know this userName with the first key. Check both. If they are right, ${otherKinds[kind]}.`
    : `The service refuses ${kind === 'none' ? 'a request without a token' : 'the token'}: ${otherKinds[kind]}.`;

const messageIn = ({ text }: ServiceResponse): string => {
  const json = parseJson(text);
  return messageOf(json.ok ? json.value : undefined, text);
};

/** A message without the secrets that a service may repeat in it, and on one line. */
const redact = (message = '', { apiKeys }: PolledAccount, token = ''): string => {
  const secrets = [...apiKeys, token, token.replace(/^bearer +/i, '')]
    .filter((secret) => secret !== '')
    .map((secret) => secret.toLowerCase());
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), secretRedactor(secrets)(message))
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, 200);
};
