import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { type Account, isPolled, isSameUser, type PolledAccount, parseAccounts } from '../../lib/accounts/accounts.ts';
import { requestTimeoutMs } from '../../lib/agents/slot.ts';
import { agentStates } from '../../lib/telephony/agent-fields.ts';
import { callFields, participantFields } from '../../lib/telephony/call-fields.ts';
import type { Fields } from '../../lib/telephony/field-reader.ts';
import { type AddedWords, lookUpWord, type Vocabulary } from '../../lib/telephony/vocabulary.ts';
import { print, printError } from './output.ts';
import { tryAccount } from './try-account.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Describes an account in a line, without its keys and its token. */
const describeAccount = (account: Account): string => {
  const { userName, apiKeys, baseUrl, timeZone, token, words = {} } = account;
  const polled = baseUrl === undefined ? 'agents not polled' : `agents polled at ${baseUrl}, token: ${token?.kind}`;
  const added = Object.keys(words);
  const adds = added.length === 0 ? '' : `, words added to ${added.join(', ')}`;

  return `${userName}: ${plural(apiKeys.length, 'live key')}, times in ${timeZone}, ${polled}${adds}`;
};

/** Every vocabulary to which an account can add words, by its fact. */
const vocabularies = new Map<string, Vocabulary<string>>([
  ...[...Object.values<Fields[string]>(callFields), ...Object.values<Fields[string]>(participantFields)].flatMap(
    ({ fact, vocabulary }) => (vocabulary === undefined ? [] : [[fact, vocabulary] as const]),
  ),
  ['state', agentStates],
]);

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
  if (!Object.values(added).every((word) => vocabulary.words.includes(word)))
    return `Expected words of the service, each with one of ${vocabulary.words.join(', ')}`;
  if (!Object.keys(added).every((sent) => lookUpWord(vocabulary, sent).word === 'unknown'))
    return 'Callfeed knows one of these words by itself: remove it';
  return undefined;
};

const usage = `Checks a list of accounts as the functions will, before you put it into the secret.

  npm run check-accounts -- accounts.json
  npm run check-accounts -- - < accounts.json

      --try            also requests the agents of each account that has a baseUrl, once and as the poller does
      --account NAME   tries this account only

Prints a line for each account, without its keys (exit code 0). If a field is invalid, prints the field and what is
allowed; if a try fails, prints what is wrong and what to change (exit code 1). If the file cannot be read or the command
is wrong, prints the reason (exit code 2).`;

/** File descriptor 0 is the standard input. */
const readText = (file: string): string => readFileSync(file === '-' ? 0 : file, 'utf8');

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  try: { type: 'boolean', default: false },
  account: { type: 'string' },
} as const;

/** Prints the accounts, or what is invalid, and tries them if that is asked for. Returns the exit code. */
const run = async ({ values, positionals }: ReturnType<typeof optionsIn>): Promise<number> => {
  const [file, ...others] = positionals;
  if (values.help) return print(usage);
  if (file === undefined || others.length > 0) throw new Error('Name one file, or - for standard input.');
  if (values.account !== undefined && !values.try) throw new Error('--account needs --try.');

  const accounts = parseAccounts(readText(file));
  if (!accounts.ok) return printError(1, accounts.problem);
  const tried = values.try ? accountsToTry(accounts.value, values.account) : [];
  print(accounts.value.map(describeAccount).join('\n'));
  const problems = accounts.value.flatMap(wordProblems);
  if (problems.length > 0) return printError(1, problems.join('\n'));
  return values.try ? tryAll(tried) : 0;
};

const accountsToTry = (accounts: readonly Account[], name: string | undefined): readonly PolledAccount[] => {
  const named = accounts.filter(({ userName }) => name === undefined || isSameUser(userName, name));
  const polled = named.filter(isPolled);
  if (named.length === 0) throw new Error('--account must be the userName of an account in the list.');
  if (polled.length === 0) throw new Error('There is no baseUrl, so there is nothing to try.');
  return polled;
};

const tryNotice = `
Each account is tried once. That uses one of the five requests that a minute has. A running deployment shares them, and
may lose one poll. Where the kind of token is generate, it also uses one of the ten tokens of an hour.
`;

const progressAfterMs = 2_000;

/** Tries the accounts one after the other. Returns the exit code: 1 if any try failed. */
const tryAll = async (accounts: readonly PolledAccount[]): Promise<number> => {
  print(tryNotice);
  const service = telephonyHttp({ timeoutMs: requestTimeoutMs });
  let code = 0;
  for (const account of accounts) {
    const { userName } = account;
    const progress = setTimeout(() => printError(0, `${userName}: waiting for the service …`), progressAfterMs);
    const tried = await tryAccount(service, account);
    clearTimeout(progress);
    if (tried.ok) print(`${userName}: ${tried.value}`);
    else code = printError(1, `${userName}: ${tried.problem}`);
  }
  return code;
};

const optionsIn = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

try {
  process.exitCode = await run(optionsIn(process.argv.slice(2)));
} catch (error) {
  process.exitCode = printError(2, `${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
}
