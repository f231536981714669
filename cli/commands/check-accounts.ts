import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isSupportedCountry } from 'libphonenumber-js/min/es6';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import {
  type Account,
  countryOf,
  isPolled,
  isSameUser,
  type PolledAccount,
  parseAccounts,
} from '../../lib/accounts/accounts.ts';
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
import { parseToken, tokenRequest } from '../../lib/service/token-cache.ts';
import { callFields, participantFields } from '../../lib/telephony/call-fields.ts';
import { numberKey } from '../../lib/telephony/e164.ts';
import { type AddedWords, agentStates, lookUpWord, type Vocabulary } from '../../lib/telephony/vocabularies.ts';
import { type BareCommand, command, type RunContext } from '../command.ts';
import { counted } from '../output/report.ts';
import { Problem } from '../problem.ts';

const describeAccount = (account: Account): string => {
  const { userName, apiKeys, baseUrl, timeZone, token, words = {}, sharedNumbers = [], forwardTo = [] } = account;
  const polled = baseUrl === undefined ? 'agents not polled' : `agents polled at ${baseUrl}, token: ${token?.kind}`;
  const added = Object.keys(words);
  const adds = added.length === 0 ? '' : `, words added to ${added.join(', ')}`;
  const shared = sharedNumbers.length === 0 ? '' : `, ${counted(sharedNumbers.length, 'shared number')}`;
  const hosts = forwardTo.map((address) => new URL(address).host);
  const forwards = hosts.length === 0 ? '' : `, deliveries forwarded to ${hosts.join(', ')}`;

  const country = countryOf(account);
  const numbers = country === undefined ? 'numbers of no country' : `numbers of ${country}`;

  return `${userName}: ${counted(apiKeys.length, 'live key')}, times in ${timeZone}, ${numbers}, ${polled}${adds}${shared}${forwards}`;
};

const vocabularies = new Map<string, Vocabulary<string>>([
  ...[...Object.values(callFields), ...Object.values(participantFields)].flatMap(({ fact, vocabulary }) =>
    vocabulary === undefined ? [] : [[fact, vocabulary] as const],
  ),
  ['state', agentStates],
]);

/** A country without numbers would leave every number without its E.164 form. */
const countryProblems = ({ userName, country }: Account): readonly string[] =>
  country === undefined || isSupportedCountry(country)
    ? []
    : [`${userName}: country: ${country} is no country that has telephone numbers`];

/** Added words that would have no effect. The problem repeats no word, because anything may have been put there. */
const wordProblems = ({ userName, words = {} }: Account): readonly string[] =>
  Object.entries(words).flatMap(([fact, added]) => {
    const vocabulary = vocabularies.get(fact);
    const problem =
      vocabulary === undefined
        ? `Expected one of ${[...vocabularies.keys()].join(', ')}`
        : problemOf(vocabulary, added);
    return problem === undefined ? [] : [`${userName}: words.${fact}: ${problem}`];
  });

const problemOf = (vocabulary: Vocabulary<string>, added: AddedWords): string | undefined => {
  if (!Object.keys(added).every((sent) => lookUpWord(vocabulary, sent).word === 'unknown'))
    return 'Callfeed knows one of these words by itself: remove it';
  const finds = (sent: string, word: string) => lookUpWord(vocabulary, sent, { [sent]: word }).word === word;
  if (!Object.entries(added).every(([sent, word]) => vocabulary.words.includes(word) && finds(sent, word)))
    return `Expected words of the service, each with one of ${vocabulary.words.join(', ')}`;
  return undefined;
};

/** Entries that are not one number have no effect. The problem repeats none, and says where it stands. */
const numberProblems = (account: Account): readonly string[] =>
  (account.sharedNumbers ?? []).flatMap((number, index) =>
    numberKey(number, countryOf(account)) === undefined
      ? [`${account.userName}: sharedNumbers.${index}: Expected one telephone number, such as +912240001000`]
      : [],
  );

export const checkAccounts = command({
  name: 'check-accounts',
  description: 'checks a list of accounts as the functions will, before you put it into the secret',
  permissions: [],
  options: (command: BareCommand) =>
    command
      .option('--try', 'also request the agents of each account that has a baseUrl, once and as the poller does', false)
      .option('--account <name>', 'with --try: this account only')
      .argument('<file>', 'the JSON list of accounts, or - for the standard input'),
  help: `Prints a line for each account, without its keys. Exit code 1: a field is invalid, or a try failed. Needs no deployment.

Example:
  $ callfeed check-accounts accounts.json --try`,
  run: async (context, { account, ...options }, file) => {
    if (account !== undefined && !options.try) throw new Problem('--account needs --try.', 2);
    const accounts = parseAccounts(await readText(context, file));
    if (!accounts.ok) throw new Problem(accounts.problem);
    const tried = options.try ? accountsToTry(accounts.value, account) : [];
    context.terminal.print(accounts.value.map(describeAccount).join('\n'));
    const problems = accounts.value.flatMap((each) => [
      ...countryProblems(each),
      ...wordProblems(each),
      ...numberProblems(each),
    ]);
    if (problems.length > 0) throw new Problem(problems.join('\n'));
    if (options.try) await tryAll(context, tried);
  },
});

const readText = async ({ readInput }: RunContext, file: string): Promise<string> => {
  const bytes = file === '-' ? await readInput() : bytesOf(file);
  if (isUtf8(bytes)) return bytes.toString();
  throw new Problem(`${file} is not encoded as UTF-8. Save it so; “>” in Windows PowerShell writes UTF-16.`);
};

const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Problem(`${file} cannot be read: ${Object(error).code}.`, 2);
  }
};

const accountsToTry = (accounts: readonly Account[], name: string | undefined): readonly PolledAccount[] => {
  const named = accounts.filter(({ userName }) => name === undefined || isSameUser(userName, name));
  const polled = named.filter(isPolled);
  if (named.length === 0) throw new Problem('--account must be the userName of an account in the list.', 2);
  if (polled.length === 0) throw new Problem('There is no baseUrl, so there is nothing to try.', 2);
  return polled;
};

const tryNotice = `
Each account is tried once. That uses one of the five requests that a minute has. A running deployment shares them, and
may lose one poll. Where the kind of token is generate, it also uses one of the ten tokens of an hour.
`;

const tryAll = async ({ terminal, setExitCode }: RunContext, accounts: readonly PolledAccount[]): Promise<void> => {
  terminal.print(tryNotice);
  const service = telephonyHttp({ timeoutMs: requestTimeoutMs });
  for (const account of accounts) {
    const { userName } = account;
    terminal.progress(`${userName}: waiting for the service …`);
    const tried = await tryAccount(service, account);
    if (tried.ok) terminal.print(`${userName}: ${tried.value}`);
    else {
      terminal.note(`${userName}: ${tried.problem}`);
      setExitCode(1);
    }
  }
};

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
