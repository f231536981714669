import { Argument, Option } from '@commander-js/extra-typings';
import {
  type BareCommand,
  command,
  type GlobalOptions,
  listsDeadLetters,
  movesDeadLetters,
  on,
  type RunContext,
} from '../frame/command.ts';
import { commandLine, type Deployment } from '../frame/deployment.ts';
import type { DeadLetterQueue, Feature, ListOptions, RedriveRequest } from '../frame/feature.ts';
import { dryRunOption, wholeNumber } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { printRows } from '../frame/table.ts';
import { parkedItem } from './parked-status.ts';
import { letterQueue } from './redrive-by-sqs.ts';
import { backlogOf, type DeadLetter } from './sqs-letters.ts';

const columns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  receives: 'RECEIVES',
  id: 'MESSAGE ID',
};

const rowOf = ({ id, body, receives }: DeadLetter) => ({
  id,
  ...(parkedItem(body) ?? { kind: 'unreadable' }),
  receives,
});

export const parked = letterQueue({
  name: 'parked',
  queueName: 'parking',
  needs: 'This deployment parks nothing.',
  queueOf: ({ queues: { parking: queue, deadLetters } }) => ({ queue, deadLetters }),
  columns,
  rowsOf: (letters) => letters.map(rowOf),
  waits: 'messages are being retried',
});

export type Queues = readonly DeadLetterQueue[];

const namesOf = (queues: Queues): readonly string[] => queues.map(({ name }) => name);

const countAll = async (
  queues: Queues,
  { terminal }: RunContext,
  deployment: Deployment,
  options: GlobalOptions,
): Promise<void> => {
  const rows = await Promise.all(
    queues.map(async ({ name, queueOf }) => {
      const pair = queueOf(deployment);
      return pair === undefined ? [] : [{ queue: name, ...(await backlogOf(deployment, pair)) }];
    }),
  );
  const columns = { queue: 'QUEUE', waiting: 'WAITING', deadLetters: 'DEAD LETTERS', next: 'NEXT' };
  const all = rows.flat().map((row) => ({
    ...row,
    next: row.deadLetters > 0 ? commandLine(options, 'dead-letters', 'list', row.queue) : undefined,
  }));
  printRows(terminal, options.json, columns, all);
};

const theQueue = 'the queue and its dead letters';
const anyDeadLetters = 'its dead letters';

export const listOptions = (command: BareCommand) =>
  command
    .option(
      '--limit <number>',
      'the most dead letters; of recordings, the most of each status and account',
      wholeNumber(1, 100_000),
      1_000,
    )
    .option('--account <name>', 'of recordings: only this account')
    .addOption(new Option('--status <status>', 'of recordings: only these').choices(['waiting', 'given-up']));

export const listOrCount = async (
  queues: Queues,
  context: RunContext,
  options: GlobalOptions & ListOptions,
  name?: string,
): Promise<void> => {
  const queue = queues.find((one) => one.name === name);
  if (!queue?.isSelectable && (options.account ?? options.status) !== undefined)
    throw new Problem('--account and --status are for recordings: SQS selects no messages.', 2);
  const deployment = await context.connect(options);
  if (queue === undefined) return countAll(queues, context, deployment, options);
  const listed = await queue.list(context, deployment, options);
  if (listed === 0) return;
  context.terminal.note(
    `Once the cause is mended, move them back: ${commandLine(options, 'dead-letters', 'redrive', queue.name)}`,
  );
};

const listCommand = (queues: Queues) =>
  command({
    name: 'list',
    isDefault: true,
    description: 'shows the dead letters of a queue, or how many each has',
    permissions: [
      on(theQueue, 'sqs:GetQueueAttributes'),
      listsDeadLetters(anyDeadLetters, 'for `parked` and `forwarded`'),
      ...queues.flatMap(({ permissions }) => permissions?.list ?? []),
    ],
    options: (command: BareCommand) =>
      listOptions(command).addArgument(
        new Argument('[queue]', 'the queue; without it, the dead letters of each queue are counted').choices(
          namesOf(queues),
        ),
      ),
    help: `Each is tried for a day, and a recording for two, before it becomes a dead letter; SQS then keeps it for some 14 days. Listing counts as
a receive, and hides what it reads from others for two minutes at most. Recordings are listed with the reason, also those that still wait.

Examples:
  $ callfeed dead-letters
  $ callfeed dead-letters list parked
  $ callfeed dead-letters list recordings --status given-up --json | jq -r .reason | sort | uniq -c`,
    run: (context, options, name) => listOrCount(queues, context, options, name),
  });

export const redriveOptions = (command: BareCommand) =>
  command
    .option('--limit <number>', 'the most dead letters; of recordings, the most calls', wholeNumber(1, 1_000_000))
    .option('--account <name>', 'of recordings: only this account')
    .addOption(dryRunOption);

export const redrive = async (
  queues: Queues,
  context: RunContext,
  request: GlobalOptions & RedriveRequest,
  name: string,
): Promise<void> => {
  const queue = queues.find((one) => one.name === name);
  if (!queue?.isSelectable && (request.ids.length > 0 || request.account !== undefined))
    throw new Problem('Ids of calls and --account are for recordings: SQS selects no messages.', 2);
  await queue?.redrive(context, await context.connect(request), request);
};

const redriveCommand = (queues: Queues) =>
  command({
    name: 'redrive',
    description: 'moves the dead letters of a queue back to it, to be tried again',
    permissions: [
      ...movesDeadLetters(anyDeadLetters, 'the queue'),
      on(
        theQueue,
        'sqs:GetQueueAttributes sqs:StartMessageMoveTask sqs:ListMessageMoveTasks sqs:CancelMessageMoveTask',
        'for `parked` and `forwarded`, so that SQS moves all; otherwise the command moves each',
      ),
      ...queues.flatMap(({ permissions }) => permissions?.redrive ?? []),
    ],
    options: (command: BareCommand) =>
      redriveOptions(command)
        .addArgument(new Argument('<queue>', 'the queue').choices(namesOf(queues)))
        .argument('[ids...]', 'of recordings: only these calls, as “list recordings” shows them'),
    help: `First mend what the runbook names for its alarm; --limit 1 shows whether it helped. What is redriven is tried for another day, and a
recording for another two. You can run it again after an interruption: nothing is stored twice, but a forwarded delivery may arrive twice,
and after later ones of its call. An id without a recording that was given up is named, and the exit code is then 1.

Examples:
  $ callfeed dead-letters redrive parked --limit 1
  $ callfeed dead-letters redrive forwarded
  $ callfeed dead-letters redrive recordings 12345678901234567890`,
    run: (context, options, name, ids) => redrive(queues, context, { ...options, ids }, name),
  });

/** The parking queue and the features' queues. */
export const deadLetterQueues = (features: readonly Feature[]): Queues => [
  parked,
  ...features.flatMap(({ deadLetters }) => deadLetters ?? []),
];

export const deadLetterCommands = (queues: Queues) => [listCommand(queues), redriveCommand(queues)];
