import { Argument, Option } from '@commander-js/extra-typings';
import { ForwardMessage } from '../../functions/forward-deliveries/forward-delivery.ts';
import { parkedIn } from '../../lib/callback/schema.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { wholeNumber } from '../arguments.ts';
import type { RunContext } from '../command.ts';
import {
  type BareCommand,
  command,
  dryRunOption,
  type GlobalOptions,
  listsDeadLetters,
  movesDeadLetters,
  type OptionsOf,
  on,
  type Permission,
} from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import {
  backlogOf,
  type DeadLetter,
  listLetters,
  queueDepth,
  type RedriveOptions,
  redriveLetters,
} from '../dead-letters.ts';
import { report } from '../output/report.ts';
import { known, Problem } from '../problem.ts';
import { listInVain, retryInVain } from './recordings/in-vain.ts';

const queueNames = ['parked', 'forwarded', 'recordings'] as const;

const forwardedLetters = ({ sqs, queues: { forwarding } }: Deployment) => {
  if (forwarding === undefined) throw new Problem('This deployment forwards nothing: set forwarding to on.');
  return { sqs, queues: forwarding, to: forwarding.queue };
};

const parkedColumns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  receives: 'RECEIVES',
  id: 'MESSAGE ID',
};

/** Has nothing personal: no number and no name. */
const parkedRow = ({ id, body, receives }: DeadLetter) => {
  const parked = parkedIn(body);
  if (parked === undefined) return { id, kind: 'unreadable', receives };
  if (parked.kind === 'quarantine') {
    const { account, receivedAt } = parked.entry;
    return { id, kind: 'quarantine', account, receivedAt, receives };
  }
  const { kind, account, callId } = parked.key;
  return { id, kind, account, callId, receivedAt: parked.delivery.receivedAt, receives };
};

const forwardedColumns = {
  account: 'ACCOUNT',
  address: 'ADDRESS',
  calls: 'CALLS',
  deadLetters: 'DEAD LETTERS',
  oldest: 'OLDEST',
};

/** Has nothing personal: no number and no name. */
const forwardedRows = (letters: readonly DeadLetter[]) => {
  const read = letters.map(({ body, sentAt }) => {
    const { data } = ForwardMessage.safeParse(tryParseJson(body));
    const { account = 'unreadable', callId } = data?.key ?? {};
    return { account, address: data?.address ?? '', callId, sentAt };
  });
  return [...Map.groupBy(read, ({ account, address }) => JSON.stringify([account, address])).values()].flatMap((some) =>
    some.slice(0, 1).map(({ account, address }) => ({
      account,
      address,
      calls: new Set(some.map(({ callId }) => callId)).size,
      deadLetters: some.length,
      oldest: some.map(({ sentAt }) => sentAt).sort()[0],
    })),
  );
};

type ListOptions = Pick<OptionsOf<typeof listOptions>, 'limit' | 'json' | 'account' | 'status'>;

export const listParked = async (
  { terminal }: RunContext,
  deployment: Deployment,
  { limit, json }: ListOptions,
): Promise<void> => {
  // Side by side: each that does not answer takes seconds.
  const counts = Promise.all([
    known(queueDepth(deployment, deployment.queues.parking)),
    known(queueDepth(deployment, deployment.queues.deadLetters)),
  ]);
  const letters = await listLetters(deployment, limit, (read) => terminal.progress(`${read} read`));
  report(terminal, json, parkedColumns, letters.map(parkedRow));
  const [waiting, total] = await counts;
  const of = 'value' in total ? ` of about ${total.value}` : '';
  const retried = 'value' in waiting ? `; about ${waiting.value} messages are being retried` : '';
  terminal.note(`${letters.length}${of} dead letters listed${retried}.`);
  const [unknown] = [waiting, total].flatMap((read) => ('unknown' in read ? [read.unknown] : []));
  if (unknown !== undefined) throw new Problem(`A queue could not be counted. ${unknown}`);
};

export const listForwarded = async (
  { terminal }: RunContext,
  deployment: Deployment,
  { limit, json }: ListOptions,
): Promise<void> => {
  const from = forwardedLetters(deployment);
  const { waiting, deadLetters } = await backlogOf(deployment, from.queues);
  const letters = await listLetters(from, limit, (read) => terminal.progress(`${read} read`));
  report(terminal, json, forwardedColumns, forwardedRows(letters));
  terminal.note(`About ${waiting} deliveries wait; ${letters.length} of about ${deadLetters} dead letters read.`);
};

const countAll = async ({ terminal }: RunContext, deployment: Deployment, json: boolean): Promise<void> => {
  const { parking, deadLetters, forwarding } = deployment.queues;
  const queues = { parked: { queue: parking, deadLetters }, forwarded: forwarding, recordings: deployment.recordings };
  const rows = await Promise.all(
    queueNames.map(async (queue) => {
      const about = queues[queue];
      return about === undefined ? [] : [{ queue, ...(await backlogOf(deployment, about)) }];
    }),
  );
  report(terminal, json, { queue: 'QUEUE', waiting: 'WAITING', deadLetters: 'DEAD LETTERS' }, rows.flat());
};

const theQueue = 'the queue and its dead letters';
const anyDeadLetters = 'its dead letters';
const ofRecordings = 'for `recordings`';

const permissionsOfRecordings: readonly Permission[] = [
  on('Calls table and its index `byTime`', 'dynamodb:Query dynamodb:BatchGetItem', ofRecordings),
  on('Agents table', 'dynamodb:GetItem', `${ofRecordings}, unless \`--account\` is given`),
];

const listOptions = (command: BareCommand) =>
  command
    .option(
      '--limit <number>',
      'the most dead letters; of recordings, the most of each status and account',
      wholeNumber(1, 100_000),
      1_000,
    )
    .option('--account <name>', 'of recordings: only this account')
    .addOption(new Option('--status <status>', 'of recordings: only these').choices(['waiting', 'given-up']))
    .addArgument(new Argument('[queue]', 'whose; without it, how many each queue has').choices(queueNames));

export const deadLettersList = command({
  name: 'list',
  isDefault: true,
  description: 'shows the dead letters of a queue, or how many each has',
  permissions: [
    on(theQueue, 'sqs:GetQueueAttributes'),
    listsDeadLetters(anyDeadLetters, 'for `parked` and `forwarded`'),
    ...permissionsOfRecordings,
  ],
  options: listOptions,
  help: `Each is tried for a day, and a recording for two, before it becomes a dead letter; SQS then keeps it for some 14 days. Listing counts as
a receive.

Examples:
  $ callfeed dead-letters
  $ callfeed dead-letters list parked
  $ callfeed dead-letters list recordings --status given-up --json | jq -r .reason | sort | uniq -c`,
  moreHelp: `

Listing hides what it reads from others for two minutes at most.
parked: calls that the table did not take. You need not do anything about those that wait.
forwarded: deliveries that another receiver did not take, by account and address. SQS does not say whose those are that wait. An address is
shown by its host and a hash, as its path may be secret.
recordings: those that were asked for in vain, also those that wait, with the reason and the next attempt.`,
  run: async (context, options, queue) => {
    if (queue !== 'recordings' && (options.account ?? options.status) !== undefined)
      throw new Problem('--account and --status are for recordings: SQS selects no messages.', 2);
    const deployment = await context.connect(options);
    if (queue === undefined) return countAll(context, deployment, options.json);
    const list = { parked: listParked, forwarded: listForwarded, recordings: listInVain }[queue];
    await list(context, deployment, options);
  },
});

export const redriveParked = async (context: RunContext, options: GlobalOptions & RedriveOptions): Promise<void> => {
  const deployment = await context.connect(options);
  await redriveLetters(context, deployment, { to: deployment.queues.parking, named: 'parking' }, options);
};

export const redriveForwarded = async (context: RunContext, options: GlobalOptions & RedriveOptions): Promise<void> => {
  const from = forwardedLetters(await context.connect(options));
  await redriveLetters(context, from, { to: from.to, named: 'forwarding' }, options);
};

export const deadLettersRedrive = command({
  name: 'redrive',
  description: 'moves the dead letters of a queue back to it, to be tried again',
  permissions: [
    ...movesDeadLetters(anyDeadLetters, 'the queue'),
    on(
      theQueue,
      'sqs:GetQueueAttributes sqs:StartMessageMoveTask sqs:ListMessageMoveTasks sqs:CancelMessageMoveTask',
      'for `parked` and `forwarded`: so that SQS moves all of them itself. Without, they are moved one by one',
    ),
    on('Calls table', 'dynamodb:PutItem', ofRecordings),
    ...permissionsOfRecordings,
  ],
  options: (command: BareCommand) =>
    command
      .option('--limit <number>', 'the most dead letters; of recordings, the most calls', wholeNumber(1, 1_000_000))
      .option('--account <name>', 'of recordings: only this account')
      .addOption(dryRunOption)
      .addArgument(new Argument('<queue>', 'whose').choices(queueNames))
      .argument('[ids...]', 'of recordings: only these calls, as “list recordings” shows them'),
  help: `First mend what the runbook names for its alarm; --limit 1 shows whether it helped. What is redriven is tried for another day, and a
recording for another two. You can run it again after an interruption: nothing is stored twice, but a forwarded delivery may arrive twice,
and after later ones of its call. An id without a recording that was given up is named, and the exit code is then 1.

Examples:
  $ callfeed dead-letters redrive parked --limit 1
  $ callfeed dead-letters redrive forwarded
  $ callfeed dead-letters redrive recordings 12345678901234567890`,
  moreHelp: `

Recordings are all that were given up, also those whose dead letter has expired.`,
  run: async (context, { account, ...options }, queue, ids) => {
    if (queue === 'recordings') return retryInVain(context, { ...options, account, ids });
    if (ids.length > 0 || account !== undefined)
      throw new Problem('Ids of calls and --account are for recordings: SQS selects no messages.', 2);
    await { parked: redriveParked, forwarded: redriveForwarded }[queue](context, options);
  },
});
