import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isSupportedCountry } from 'libphonenumber-js/max/es6';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import {
  type Account,
  countryOf,
  isPolled,
  isSameUser,
  type PolledAccount,
  parseAccounts,
} from '../../lib/accounts/accounts.ts';
import { requestTimeoutMs } from '../../lib/service/service.ts';
import { callFields, participantFields } from '../../lib/telephony/call-fields.ts';
import { callerKey } from '../../lib/telephony/caller-key.ts';
import { numberIn } from '../../lib/telephony/number-text.ts';
import { type AddedWords, agentStates, lookUpWord, type Vocabulary } from '../../lib/telephony/vocabularies.ts';
import { type BareCommand, command, type RunContext } from '../frame/command.ts';
import { Problem } from '../frame/problem.ts';
import { counted } from '../frame/texts.ts';
import { tryAccount } from './try-account.ts';

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
    const withoutCountry = accounts.value.filter((account) => countryOf(account) === undefined);
    context.terminal.print([...accounts.value.map(describeAccount), ...withoutCountry.map(countryAdvice)].join('\n'));
    const problems = accounts.value.flatMap(problemsOf);
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

/** A line about an account for people, without its keys. */
const describeAccount = (account: Account): string => {
  const { userName, apiKeys, baseUrl, timeZone, token, words = {}, sharedNumbers = [], forwardTo = [] } = account;
  const added = Object.keys(words);
  const hosts = forwardTo.map((address) => new URL(address).host);
  const facts = [
    counted(apiKeys.length, 'live key'),
    `times in ${timeZone}`,
    `numbers of ${countryOf(account) ?? 'no country'}`,
    baseUrl === undefined ? 'agents not polled' : `agents polled at ${baseUrl}, token: ${token?.kind}`,
    added.length > 0 && `words added to ${added.join(', ')}`,
    sharedNumbers.length > 0 && counted(sharedNumbers.length, 'shared number'),
    hosts.length > 0 && `deliveries forwarded to ${hosts.join(', ')}`,
  ];
  return `${userName}: ${facts.filter(Boolean).join(', ')}`;
};

/** What an account costs that neither names its country nor has a zone of one. */
const countryAdvice = ({ userName, timeZone }: Account): string =>
  `${userName}: no country is known, as ${timeZone} is the zone of none. Only numbers that are sent with + or 00 have E.164, and a caller ` +
  'who is called back in another spelling stays open. Add "country": the two letters of the country in which its numbers are ' +
  'dialled without a country’s code, such as IN.';

/** What would have no effect. No problem repeats a word or a number, because anything may have been put there. */
const problemsOf = (account: Account): readonly string[] => {
  const { userName, country, words = {}, sharedNumbers = [] } = account;
  const hasNumbers = country === undefined || isSupportedCountry(country);
  const isOneNumber = (text: string) =>
    numberIn(text).number !== undefined && callerKey(text, countryOf(account)) !== undefined;
  return [
    hasNumbers ? undefined : `country: ${country} is no country that has telephone numbers`,
    ...Object.entries(words).map(([fact, added]) => {
      const problem = wordProblem(fact, added);
      return problem && `words.${fact}: ${problem}`;
    }),
    ...sharedNumbers.map((text, index) =>
      isOneNumber(text) ? undefined : `sharedNumbers.${index}: Expected one telephone number, such as +912240001000`,
    ),
  ].flatMap((problem) => (problem === undefined ? [] : [`${userName}: ${problem}`]));
};

const vocabularies = new Map<string, Vocabulary<string>>([
  ...[...Object.values(callFields), ...Object.values(participantFields)].flatMap(({ fact, vocabulary }) =>
    vocabulary === undefined ? [] : [[fact, vocabulary] as const],
  ),
  ['state', agentStates],
]);

const wordProblem = (fact: string, added: AddedWords): string | undefined => {
  const vocabulary = vocabularies.get(fact);
  if (vocabulary === undefined) return `Expected one of ${[...vocabularies.keys()].join(', ')}`;
  if (!Object.keys(added).every((sent) => lookUpWord(vocabulary, sent).word === 'unknown'))
    return 'Callfeed knows one of these words by itself: remove it';
  const finds = (sent: string, word: string) => lookUpWord(vocabulary, sent, { [sent]: word }).word === word;
  if (!Object.entries(added).every(([sent, word]) => vocabulary.words.includes(word) && finds(sent, word)))
    return `Expected words of the service, each with one of ${vocabulary.words.join(', ')}`;
  return undefined;
};
