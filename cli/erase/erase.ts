import { randomBytes } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { findAccount } from '../../lib/accounts/account-index.ts';
import { countryOf } from '../../lib/accounts/accounts.ts';
import { pseudonymForm } from '../../lib/calls/call-keys.ts';
import { backlogOf } from '../dead-letters/sqs-letters.ts';
import { accountNamesFrom, type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { dryRunOption, reject } from '../frame/options.ts';
import { isDenied, Problem, problemOf } from '../frame/problem.ts';
import { accountsOf, reader } from '../frame/reader.ts';
import { printResult } from '../frame/table.ts';
import { printable, type Terminal } from '../frame/terminal.ts';
import { counted } from '../frame/texts.ts';
import { type AgentIdentity, agent as agentPerson } from './erase-agent.ts';
import { customerSearch, customerToErase } from './erase-customer.ts';
import type { ErasureSearch } from './erasure-rows.ts';
import { eraseAll, findAll, rejectPolled, rowsByKind, rowsText } from './run-erasure.ts';

const options = (command: BareCommand) =>
  command
    .addOption(
      new Option(
        '--customer <number>',
        'the customer with this telephone number, in any spelling, or address of mail or chat; “-” reads it from the input',
      ).conflicts(['agent', 'as', 'withRecordings']),
    )
    .option('--agent <id>', 'the agent with this login id')
    .option(
      '--account <name>',
      'only this account, spelt as in the secret (default: all of them; for --agent the only one)',
    )
    .option(
      '--with-recordings',
      'with --agent: also erase the recordings of the agent’s calls, in which the customers speak too',
      false,
    )
    .option('--as <pseudonym>', 'with --agent: the pseudonym of an erasure that was interrupted', (typed) =>
      new RegExp(`^${pseudonymForm}$`).test(typed)
        ? typed
        : reject('Expected the pseudonym that the command printed, such as erased-1a2b3c4d.'),
    )
    .addOption(dryRunOption)
    .option('--yes', 'do not ask', false);
type EraseOptions = OptionsOf<typeof options>;

const ofTables = 'dynamodb:DescribeTable dynamodb:Scan dynamodb:PutItem';

export const erase = command({
  name: 'erase',
  description: 'removes a person from the tables, and leaves counts and times intact',
  permissions: [
    on('Calls and quarantine tables', ofTables),
    on('Calls table', 'dynamodb:Query dynamodb:DeleteItem'),
    on('quarantine table', 'dynamodb:GetItem'),
    on('parking queue and its dead letters', 'sqs:GetQueueAttributes'),
    accountNamesFrom('for a customer'),
    on('buckets of recordings', 's3:DeleteObject', 'where recordings are or were archived'),
    on('Agents table', `${ofTables} dynamodb:GetItem dynamodb:DeleteItem`, 'for an agent'),
  ],
  options,
  help: `A number without + or 00 is one of the account’s country. Where accounts have several, it is found with any country code, and may then be
somebody else’s: give it with +, or give --account. It is found in every spelling, in every field and in what was sent: with HTML between its
digits too, and as 9.87654321E+9, but not where a spreadsheet has rounded it (9.88E+09). Its calls lose the number, recordings, comments and
undocumented fields. An agent becomes a pseudonym, such as erased-1a2b3c4d, in calls, timelines and snapshots. An agent who is logged in is
not erased, as the next poll would restore the row.

Every row of the tables is read once, a read unit for each 4 KB. The command says beforehand how many, and asks before it writes. Each call
that changes is published, so that subscribers can erase too. You can run it again after an interruption.

Examples:
  $ callfeed erase --customer +919876500000 --dry-run
  $ echo +919876500000 | callfeed erase --customer - --yes --json
  $ callfeed erase --agent asha --account acme`,
  run: async (context, options) => {
    const { terminal, clock, ask } = context;
    if (options.customer === undefined && options.agent === undefined)
      throw new Problem('Give either --customer or --agent.', 2);
    if (ask === undefined && !options.dryRun && !options.yes)
      throw new Problem('Without a terminal to ask at, give --dry-run or --yes.', 2);
    const search = await searchFor(context, options);
    const { deployment } = search;
    const stop = context.interruption();
    const plan = await findAll(terminal, search, stop);
    const { found, unreadable } = plan;
    const toErase = rowsByKind(found);
    if (found.length === 0) await rejectUnknownAccount(terminal, deployment, options);

    if (options.dryRun || found.length === 0) {
      printResult(terminal, options.json, { wouldBeErased: toErase }, `Would be erased: ${rowsText(toErase)}.`);
    } else {
      await rejectPolled(search, found, clock());
      terminal.note(`To erase: ${rowsText(toErase)}.`);
      if (!options.yes && (await ask?.('This cannot be undone. Type “erase” to go on: '))?.trim() !== 'erase')
        throw new Problem('Nothing was written.');
      await eraseAll(context, options.json, search, plan, stop);
    }
    if (found.length > 0) noteLeftovers(terminal, deployment);
    await noteQueues(context, deployment);
    if (unreadable > 0) throw new Problem(`Not all is found: ${counted(unreadable, 'row')} cannot be read.`);
  },
});

/** A misspelt name has no rows, and the person would pass for erased. Rows have the name in the letter case of the secret. */
const rejectUnknownAccount = async ({ note }: Terminal, deployment: Deployment, { account }: EraseOptions) => {
  if (account === undefined || findAccount(await accountsOf(deployment, note), account) !== undefined) return;
  throw new Problem(
    `Nothing was found, and the deployment has no account ${printable(account)}. Rows are kept under the name as it is spelt in the secret.`,
    2,
  );
};

const searchFor = async (context: RunContext, options: EraseOptions): Promise<ErasureSearch> => {
  const { clock } = context;
  if (options.agent !== undefined) {
    const { deployment, account } = await reader(context, options);
    const pseudonym = options.as ?? `erased-${randomBytes(4).toString('hex')}`;
    const agent: AgentIdentity = { account, agentId: options.agent, pseudonym };
    const { withRecordings } = options;
    return { deployment, agent, withRecordings, person: agentPerson(agent, withRecordings), clock };
  }
  const typed = options.customer === '-' ? (await context.readInput()).toString() : (options.customer ?? '');
  const deployment = await context.connect(options);
  const search = customerSearch(typed, await knownCountries(context.terminal, deployment, options));
  if (search === undefined)
    throw new Problem(
      '--customer must be a telephone number of 6 digits or more, with + if it has its country code; or an address of mail ' +
        'or chat, such as rao@example.com, without blanks.',
      2,
    );
  const person = customerToErase(search, options.account);
  return { deployment, agent: undefined, withRecordings: true, person, clock };
};

/** Where nobody may read the accounts, an erasure goes on: it then finds a number with any country code. */
const knownCountries = async ({ note }: Terminal, deployment: Deployment, { account }: EraseOptions) => {
  try {
    const accounts = await accountsOf(deployment, note);
    return accounts.filter(({ userName }) => account === undefined || userName === account).map(countryOf);
  } catch (error) {
    if (!isDenied(error) && !(error instanceof Problem)) throw error;
    note(`${problemOf(error).message} A number without its country code is found with any.`);
    return [];
  }
};

const noteLeftovers = ({ note }: Terminal, { archiveDays }: Deployment): void => {
  const left = [
    ...(archiveDays === undefined ? [] : [`the archive of events, ${archiveDays} days`]),
    'backups of the tables (point-in-time recovery), 35 days',
    'changes that could not be published (bucket), 28 days',
    'streams of the tables, one day',
  ];
  note(`Copies that cannot be edited go by themselves: ${left.join('; ')}.`);
  note('Subscribers have copies of their own. Logs hold no personal data.');
};

/** What waits in a queue is stored later, and may bring the person back. */
const noteQueues = async ({ terminal }: RunContext, deployment: Deployment): Promise<void> => {
  const { parking: queue, deadLetters } = deployment.queues;
  const { waiting: parked, deadLetters: dead } = await backlogOf(deployment, { queue, deadLetters });
  if (parked > 0) terminal.note(`Parked: ${parked}, which may name the person. Run this again when they are stored.`);
  if (dead > 0)
    terminal.note(
      `Dead letters: ${dead}, which may name the person. SQS deletes them after 14 days; or redrive them, and run this again.`,
    );
};
