import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { Option } from '@commander-js/extra-typings';
import { dynamoQuarantine } from '../../functions/adapters/dynamo-stores.ts';
import { type RecordCounts, type RejectionReason, rejectionResponses } from '../../lib/callback/reply.ts';
import { isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { Result } from '../../lib/core/result.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { type BareCommand, command, type ExitCode, on } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { dryRunOption } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { callPorts, storeDeadline } from '../frame/rows.ts';
import { printRows, printTable, type TableRow } from '../frame/table.ts';
import { type EntryFilter, getEntry, isHarmless, quarantineReasons, scanEntries } from './quarantine-entries.ts';
import {
  type QuarantinedEntry,
  type RedrivePorts,
  type RedriveProblem,
  redriveQuarantined,
} from './redrive-quarantined.ts';

export const quarantineRedrive = command({
  name: 'redrive',
  description: 'reads stored bodies by today’s rules, stores their calls, and deletes them from quarantine',
  permissions: [
    on('quarantine table', 'dynamodb:Scan dynamodb:GetItem dynamodb:PutItem dynamodb:DeleteItem'),
    on('Calls table', 'dynamodb:PutItem dynamodb:DeleteItem'),
    on('accounts’ secret', 'secretsmanager:GetSecretValue'),
  ],
  options: (command: BareCommand) =>
    command
      .option('--all', 'all entries of known senders, but for posts that are no call summaries', false)
      .addOption(
        new Option('--reason <reason>', 'with --all: only entries with this reason').choices(quarantineReasons),
      )
      .option('--account <name>', 'with --all: only this account; with ids: the account of entries without a known one')
      .addOption(dryRunOption)
      .argument('[id...]', 'these entries'),
  help: `Calls are stored with the time at which they were received. You can run this again after an interruption: nothing is stored twice. An entry
that came with an unknown key is stored once the accounts’ secret has that key, or for the --account that you give. One that is still
rejected stays, with its reason.

Exit code 1: an entry stays where it was, or one that you name could not be redriven. --all --dry-run only looks, and ends with 0 also where
it could redrive nothing.

Examples:
  $ callfeed quarantine redrive --all --reason not-a-call-summary --dry-run
  $ callfeed quarantine redrive ID --account acme`,
  run: async (context, options, ids) => {
    if (options.all === ids.length > 0) throw new Problem('Give the ids of entries, or --all.', 2);
    if (!options.all && options.reason !== undefined) throw new Problem('--reason needs --all.', 2);

    const { terminal, clock } = context;
    const { account, dryRun: isDryRun } = options;
    const deployment = await context.connect(options);
    const redriveOne = redriveQuarantined(await redrivePorts(deployment, clock), { account, isDryRun });
    const stop = context.interruption();

    const rows: TableRow[] = [];
    const skipped = { harmless: 0 };
    try {
      for await (const entry of selectEntries(deployment, ids, options, skipped)) {
        if (stop.aborted) throw new Problem(`Stopped after ${rows.length} entries; run the command again to continue.`);
        const row = typeof entry === 'string' ? missing(entry) : rowOf(entry.id, await redriveOne(entry), isDryRun);
        rows.push(row);
        if (options.json) printRows(terminal, true, columns, [row]);
        terminal.progress(`${rows.length} entries done`);
      }
    } finally {
      if (!options.json) printTable(terminal, columns, rows);
    }
    const remaining = rows.filter(({ why }) => why !== undefined).length;
    terminal.note(`${rows.length - remaining} ${isDryRun ? 'can be redriven' : 'redriven'}, ${remaining} not.`);
    if (skipped.harmless > 0)
      terminal.note(`${skipped.harmless} that are no call summaries skipped: they need nothing.`);
    context.setExitCode(exitCodeFor(remaining, options));
  },
});

/** A dry run over all entries has done its work whatever it finds. For named entries, each must be redrivable. */
const exitCodeFor = (remaining: number, asked: { readonly all: boolean; readonly dryRun: boolean }): ExitCode =>
  remaining === 0 || (asked.all && asked.dryRun) ? 0 : 1;

const missing = (id: string) => ({ id, outcome: 'missing', why: 'Nothing in quarantine has this id.' });

const columns = {
  id: 'ID',
  outcome: 'OUTCOME',
  stored: 'STORED',
  duplicates: 'DUPLICATES',
  quarantined: 'QUARANTINED',
  why: 'WHY',
};

/** The entries that are selected, or an id without an entry. Strangers' entries, which an earlier version kept, are left out. */
async function* selectEntries(
  deployment: Deployment,
  ids: readonly string[],
  { account, reason }: EntryFilter,
  skipped: { harmless: number },
): AsyncGenerator<QuarantinedEntry | string> {
  for (const id of ids) yield (await getEntry(deployment, id)) ?? id;
  if (ids.length > 0) return;

  for await (const page of scanEntries(deployment, { account, reason, isDismissed: false }))
    for (const quarantined of page.filter(({ entry }) => !isUnknownSender(entry)))
      if (isHarmless(quarantined.entry)) skipped.harmless += 1;
      else yield quarantined;
}

const redrivePorts = async (deployment: Deployment, clock: () => Date): Promise<RedrivePorts> => {
  const { dynamodb: client, tables, retention } = deployment;
  return {
    accounts: await deployment.accounts(),
    calls: { record: recordDelivery(callPorts(deployment, clock)) },
    quarantine: dynamoQuarantine(client, tables.quarantine, retention.quarantineDays),
    deadline: storeDeadline,
    async remove(id) {
      await client.send(new DeleteItemCommand({ TableName: tables.quarantine, Key: marshalled({ id }) }));
    },
  };
};

const rowOf = (id: string, result: Result<RecordCounts, RedriveProblem>, isDryRun: boolean): TableRow => {
  if (!result.ok) return { id, outcome: result.problem, why: redriveMessage(result.problem) };
  const { stored, duplicates, quarantined } = result.value;
  return isDryRun
    ? { id, outcome: 'can-be-redriven', stored, quarantined }
    : { id, outcome: 'redriven', stored, duplicates, quarantined };
};

/** Messages for problems that only a redrive has, and for those whose message to the sender would mislead an operator. */
const redriveMessages: Readonly<
  Record<Exclude<RedriveProblem, RejectionReason> | 'mixed-accounts' | 'unknown-key' | 'unknown-user', string>
> = {
  'body-truncated': 'The body was too long to be stored in full: have the service post it again.',
  'mixed-accounts': 'Its records belong to several accounts. The keys that distinguished them are not stored.',
  'unknown-key': 'The accounts’ secret does not have its key yet. Put it in, or name the account with --account.',
  'unknown-user': 'A UserName in it names another account.',
  'account-not-named': 'It came without a known account: name the account with --account.',
  'unknown-account': 'The accounts’ secret has no such account.',
  'account-mismatch': 'It belongs to another account than --account names.',
};

const hasOwnMessage = (reason: RedriveProblem): reason is keyof typeof redriveMessages =>
  Object.hasOwn(redriveMessages, reason);

const redriveMessage = (reason: RedriveProblem): string =>
  hasOwnMessage(reason) ? redriveMessages[reason] : rejectionResponses[reason].message;
