import { tryParseJson } from '../../lib/core/json.ts';
import { ForwardMessage } from '../../lib/forward/forward-delivery.ts';
import { wholeNumber } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import { type DeadLetter, forwardingDepth } from '../dead-letters.ts';
import { command, flag, withDefault } from '../options.ts';
import { report } from '../output/report.ts';
import { Problem } from '../problem.ts';
import { listLetters, redriveLetters } from '../redrive-letters.ts';

const columns = {
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
    const { waiting, deadLetters: dead } = await forwardingDepth(deployment, forwarding);
    const letters = await listLetters({ terminal }, from, options.limit);
    report(terminal, options.json, columns, byAddress(letters));
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
  settings: {
    limit: withDefault('<number>', 'the maximum', wholeNumber(1, 1_000_000), 1_000_000),
    dryRun: flag('only count them'),
  },
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
