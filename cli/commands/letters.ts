import { parkedIn } from '../../lib/callback/schema.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { ForwardMessage } from '../../lib/forward/forward-delivery.ts';
import { wholeNumber } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import { backlogOf, type DeadLetter, listLetters, queueDepth, redriveLetters } from '../dead-letters.ts';
import { command, flag, withDefault } from '../options.ts';
import { report } from '../output/report.ts';
import type { Terminal } from '../output/terminal.ts';
import { known, Problem } from '../problem.ts';

const parkedColumns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  receives: 'RECEIVES',
  id: 'MESSAGE ID',
};

const redriveSettings = {
  limit: withDefault('<number>', 'the maximum', wholeNumber(1, 1_000_000), 1_000_000),
  dryRun: flag('only count them'),
};

/** `callfeed parked list` */
export const parkedList = command({
  name: 'list',
  description: 'lists the dead letters: messages that recovery could not store',
  settings: {
    limit: withDefault('<number>', 'the maximum', wholeNumber(1, 10_000), 100),
  },
  help: `You need not do anything about messages in the parking queue: recovery retries each every six minutes for a day. Then
the message becomes a dead letter and is listed here. SQS deletes it 14 days after it was parked. Listing deletes nothing,
but SQS counts it as a receive.

Example:
  $ callfeed parked list`,
  run: async ({ terminal, connect }, options) => {
    const deployment = await connect(options);
    // Side by side: each that does not answer takes seconds.
    const counts = Promise.all([
      known(queueDepth(deployment, deployment.queues.parking)),
      known(queueDepth(deployment, deployment.queues.deadLetters)),
    ]);
    const letters = await listLetters(deployment, options.limit, onRead(terminal));
    report(terminal, options.json, parkedColumns, letters.map(summaryOf));
    const [waiting, total] = await counts;
    const of = 'value' in total ? ` of about ${total.value}` : '';
    const retried = 'value' in waiting ? `about ${waiting.value} messages are being retried` : undefined;
    terminal.note(`${letters.length}${of} dead letters listed${retried === undefined ? '' : `; ${retried}`}.`);
    const [unknown] = [waiting, total].flatMap((read) => ('unknown' in read ? [read.unknown] : []));
    if (unknown !== undefined) throw new Problem(`A queue could not be counted. ${unknown}`);
  },
});

const onRead =
  ({ progress }: Terminal) =>
  (letters: number): void =>
    progress(`${letters} read`);

/** Has nothing personal: no number and no name. */
const summaryOf = ({ id, body, receives }: DeadLetter) => {
  const parked = parkedIn(body);
  if (parked === undefined) return { id, kind: 'unreadable', receives };
  if (parked.kind === 'quarantine') {
    const { account, receivedAt } = parked.entry;
    return { id, kind: 'quarantine', account, receivedAt, receives };
  }
  const { kind, account, callId } = parked.key;
  return { id, kind, account, callId, receivedAt: parked.delivery.receivedAt, receives };
};

/** `callfeed parked redrive` */
export const parkedRedrive = command({
  name: 'redrive',
  description: 'moves dead letters back to the parking queue, from which recovery stores them',
  settings: redriveSettings,
  help: `First fix what prevented the table from storing them (see “Callbacks parked” in the runbook). Recovery then retries each for
another day. You can run this again after an interruption: nothing is stored twice.

Examples:
  $ callfeed parked redrive --limit 1
  $ callfeed parked redrive`,
  run: async (context, { limit, dryRun, json, ...location }) => {
    const deployment = await context.connect(location);
    const to = deployment.queues.parking;
    await redriveLetters(context, deployment, { to, named: 'parking', limit, dryRun, json });
  },
});

const forwardedColumns = {
  account: 'ACCOUNT',
  address: 'ADDRESS',
  calls: 'CALLS',
  deadLetters: 'DEAD LETTERS',
  oldest: 'OLDEST',
};

const forwardingOf = ({ sqs, queues: { forwarding } }: Deployment) => {
  if (forwarding === undefined) throw new Problem('This deployment forwards nothing: set forwarding to on.');
  return { forwarding, letters: { sqs, queues: forwarding } };
};

/** `callfeed forwarded` */
export const forwardedList = command({
  name: 'list',
  isDefault: true,
  description: 'shows what waits to be forwarded, and the dead letters of each account and address',
  settings: {
    limit: withDefault('<number>', 'the most dead letters to read', wholeNumber(1, 100_000), 1_000),
  },
  help: `Each delivery is tried for a day. Then it becomes a dead letter, which SQS deletes after another 14 days. SQS counts those
that wait, but does not say whose they are. An address is shown by its host and a hash, as its path may be secret.

Example:
  $ callfeed forwarded`,
  run: async ({ terminal, connect }, options) => {
    const deployment = await connect(options);
    const { forwarding, letters: from } = forwardingOf(deployment);
    const { waiting, deadLetters: dead } = await backlogOf(deployment, forwarding);
    const letters = await listLetters(from, options.limit, onRead(terminal));
    report(terminal, options.json, forwardedColumns, byAddress(letters));
    terminal.note(`About ${waiting} deliveries wait; ${letters.length} of about ${dead} dead letters read.`);
  },
});

/** Has nothing personal: no number and no name. */
const byAddress = (letters: readonly DeadLetter[]) => {
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

/** `callfeed forwarded redrive` */
export const forwardedRedrive = command({
  name: 'redrive',
  description: 'moves dead letters back to the forwarding queue, from which each is tried for another day',
  settings: redriveSettings,
  help: `First mend the receiver, or correct its address (see “Forwarding fails” in the runbook). A delivery may arrive twice, and
after later ones of its call.

Examples:
  $ callfeed forwarded redrive --limit 1
  $ callfeed forwarded redrive`,
  run: async (context, { limit, dryRun, json, ...location }) => {
    const { forwarding, letters } = forwardingOf(await context.connect(location));
    await redriveLetters(context, letters, { to: forwarding.queue, named: 'forwarding', limit, dryRun, json });
  },
});
