import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { dynamoQuarantine } from '../../functions/adapters/dynamo-quarantine.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { marshalled } from '../../functions/adapters/marshalling.ts';
import {
  type QuarantinedEntry,
  type RedrivePorts,
  type RedriveProblem,
  redriveQuarantined,
} from '../../lib/callback/redrive-quarantined.ts';
import { type RejectionReason, rejectionResponses } from '../../lib/callback/rejections.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { printable } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { type EntryFilter, getEntry, quarantineReasons, scanEntries } from '../quarantine-entries.ts';

/**
 * The entries that are to be redriven: those with these ids (or the id itself, where there is no entry), or without ids all
 * that are wanted and have an account. Nobody vouches for the others by the hundred: those are told of only.
 */
async function* selectEntries(
  deployment: Deployment,
  ids: readonly string[],
  wanted: EntryFilter,
  onPassedOver: () => void,
): AsyncGenerator<QuarantinedEntry | string> {
  for (const id of ids) yield (await getEntry(deployment, id)) ?? id;
  if (ids.length > 0) return;

  const { account, reason } = wanted;
  for await (const page of scanEntries(deployment, { account, reason }, () => undefined))
    for (const kept of page)
      if (kept.entry.account === undefined) onPassedOver();
      else yield kept;
}

/** Nobody waits for a reply here, so a slow table is given time. */
const storeDeadlineMs = 15_000;

/** The tables, as the receiver writes them. */
const redrivePorts = async (deployment: Deployment, clock: () => Date): Promise<RedrivePorts> => {
  const { dynamodb: client, tables, retention } = deployment;
  return {
    accounts: await deployment.accounts(),
    calls: {
      record: recordDelivery({
        clock,
        rows: dynamoVersionedRows(client, tables.calls),
        retentionDays: retention.callDays,
      }),
    },
    quarantine: dynamoQuarantine({ client, tableName: tables.quarantine, retentionDays: retention.quarantineDays }),
    deadline: () => AbortSignal.timeout(storeDeadlineMs),
    async remove(id) {
      await client.send(new DeleteItemCommand({ TableName: tables.quarantine, Key: marshalled({ id }) }));
    },
  };
};

/** What only redriving runs into, or what the sender would be told in other words. */
const redriveMessages: Readonly<
  Record<Exclude<RedriveProblem, RejectionReason> | 'mixed-accounts' | 'unknown-user', string>
> = {
  'body-truncated': 'The body was too long to be kept whole: have the service post it again.',
  'mixed-accounts': 'Its records are of several accounts, and with the keys gone it cannot be told whose is which.',
  'unknown-user': 'A UserName in it is not that of the account.',
  'account-not-named': 'It came without an account: say whose it is with --account.',
  'unknown-account': 'The accounts’ secret has no such account.',
  'account-mismatch': 'It is of another account than --account says.',
};

const hasOwnMessage = (reason: RedriveProblem): reason is keyof typeof redriveMessages =>
  Object.hasOwn(redriveMessages, reason);

/** Why an entry stays in quarantine, in a sentence. */
const redriveProblem = (reason: RedriveProblem): string =>
  hasOwnMessage(reason) ? redriveMessages[reason] : rejectionResponses[reason].message;

const RedriveOptions = Options.extend({
  all: z.boolean().default(false),
  reason: z.string().optional(),
  account: z.string().optional(),
  dryRun: z.boolean().default(false),
});
type RedriveOptions = z.infer<typeof RedriveOptions>;

const columns = {
  id: 'ID',
  outcome: 'OUTCOME',
  stored: 'STORED',
  duplicates: 'DUPLICATES',
  quarantined: 'QUARANTINED',
  why: 'WHY',
};

/** `callfeed quarantine redrive` */
export const quarantineRedrive = (group: Command, context: RunContext): void => {
  const command = group
    .command('redrive')
    .description('reads what was kept by today’s rules, stores it, and takes it out of quarantine')
    .argument('[id...]', 'these entries')
    .option('--all', 'all entries of known accounts')
    .addOption(new Option('--reason <reason>', 'with --all: those kept for this reason').choices(quarantineReasons))
    .option('--account <name>', 'with --all: those of this account; with ids: whose they are, where they do not say')
    .option('--dry-run', 'tell what would be stored, and write nothing')
    .addHelpText(
      'after',
      `
Calls get the time at which they were received, so it makes no difference that they come late. What is still not
understood stays, with its reason. Entries that name no account may be a stranger’s: look at one before you say whose it
is. Doing it twice makes duplicates, which change nothing.

Examples:
  $ callfeed quarantine redrive --all --reason not-a-call-summary --dry-run
  $ callfeed quarantine redrive 5f0c… --account acme`,
    );
  command.action((ids: string[]) => redrive(context, ids, RedriveOptions.parse(command.optsWithGlobals())));
};

const redrive = async (context: RunContext, ids: readonly string[], options: RedriveOptions): Promise<void> => {
  if (options.all === ids.length > 0) throw new Problem('Name entries by their ids, or --all of them.', 2);
  if (!options.all && options.reason !== undefined) throw new Problem('--reason goes with --all.', 2);

  const { terminal } = context;
  const deployment = await context.connect(options);
  const ports = await redrivePorts(deployment, context.clock);
  const redriveOne = redriveQuarantined(ports, { account: options.account, isDryRun: options.dryRun });
  const stop = context.interruption();

  const rows: Redriven[] = [];
  let passedOver = 0;
  const onPassedOver = () => {
    passedOver += 1;
  };
  try {
    for await (const chosen of selectEntries(deployment, ids, options, onPassedOver)) {
      if (stop.aborted) throw new Problem(`Stopped after ${rows.length} entries; give the command again to go on.`);
      rows.push(typeof chosen === 'string' ? missing(chosen) : rowOf(chosen, await redriveOne(chosen), options.dryRun));
      if (options.json) report(terminal, true, columns, rows.slice(-1));
      terminal.progress(`${rows.length} entries done`);
    }
  } finally {
    if (!options.json) report(terminal, false, columns, rows);
  }
  const stay = rows.filter(({ why }) => why !== undefined).length;
  terminal.note(`${rows.length - stay} ${options.dryRun ? 'can be redriven' : 'redriven'}, ${stay} not.`);
  if (passedOver > 0)
    terminal.note(`${passedOver} passed over, as they name no account: give their ids and --account.`);
  context.ends(stay > 0 ? 1 : 0);
};

const missing = (id: string): Redriven => ({
  id: printable(id),
  outcome: 'missing',
  why: 'Nothing in quarantine has this id.',
});

const rowOf = (
  { id }: QuarantinedEntry,
  result: Awaited<ReturnType<ReturnType<typeof redriveQuarantined>>>,
  isDryRun: boolean,
): Redriven => {
  if (!result.ok) return { id, outcome: result.problem, why: redriveProblem(result.problem) };
  const { stored, duplicates, quarantined } = result.value;
  return isDryRun
    ? { id, outcome: 'can-be-redriven', stored, quarantined }
    : { id, outcome: 'redriven', stored, duplicates, quarantined };
};

interface Redriven {
  readonly [name: string]: string | number | undefined;
  readonly id: string;
  readonly outcome: string;
  readonly why?: string;
}
