import { parkedIn } from '../../lib/callback/schema.ts';
import { wholeNumber } from '../arguments.ts';
import { type DeadLetter, queueDepth } from '../dead-letters.ts';
import { command, flag, withDefault } from '../options.ts';
import { report } from '../output/report.ts';
import { known, Problem } from '../problem.ts';
import { listLetters, redriveLetters } from '../redrive-letters.ts';

const columns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  receives: 'RECEIVES',
  id: 'MESSAGE ID',
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
    const letters = await listLetters({ terminal }, deployment, options.limit);
    report(terminal, options.json, columns, letters.map(summaryOf));
    const [waiting, total] = await counts;
    const of = 'value' in total ? ` of about ${total.value}` : '';
    const retried = 'value' in waiting ? `about ${waiting.value} messages are being retried` : undefined;
    terminal.note(`${letters.length}${of} dead letters listed${retried === undefined ? '' : `; ${retried}`}.`);
    const [unknown] = [waiting, total].flatMap((read) => ('unknown' in read ? [read.unknown] : []));
    if (unknown !== undefined) throw new Problem(`A queue could not be counted. ${unknown}`);
  },
});

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
  settings: {
    limit: withDefault('<number>', 'the maximum', wholeNumber(1, 1_000_000), 1_000_000),
    dryRun: flag('only count them'),
  },
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
