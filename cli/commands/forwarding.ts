import { ForwardMessage } from '../../functions/forward-deliveries/forward-delivery.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Deployment } from '../connection/deployment.ts';
import { backlogOf, backlogStatus, type DeadLetter } from '../dead-letters.ts';
import type { Feature, HealthPart } from '../feature.ts';
import { letterQueue } from '../letter-queue.ts';
import { counted } from '../output/report.ts';

const queueOf = ({ queues }: Deployment) => queues.forwarding;

const status = backlogStatus({ name: 'forwarding', title: 'Forwarding' }, queueOf, ({ waiting, deadLetters: dead }) => {
  const hint = waiting + dead > 0 ? ': see callfeed dead-letters list forwarded' : '';
  const text = `about ${waiting} deliveries wait for another receiver, and ${dead} are dead letters${hint}`;
  return { text, count: waiting + dead };
});

const health = (deployment: Deployment): HealthPart | undefined => {
  const pair = queueOf(deployment);
  return (
    pair && {
      title: 'Forwarding',
      async read() {
        const { waiting, deadLetters: dead } = await backlogOf(deployment, pair);
        const about = (count: number) => `About ${counted(count, 'delivery', 'deliveries')}`;
        return {
          verdict: dead > 0 ? 'bad' : waiting > 0 ? 'unknown' : 'good',
          lines: [
            ...(dead > 0 ? [`${about(dead)} could not be sent; the command shows whose they are.`] : []),
            waiting === 0
              ? 'No delivery waits for another receiver.'
              : `${about(waiting)} wait for another receiver; each is tried for a day.`,
          ],
          command: dead > 0 ? ['dead-letters', 'list', 'forwarded'] : undefined,
        };
      },
    }
  );
};

const columns = {
  ...{ account: 'ACCOUNT', address: 'ADDRESS', calls: 'CALLS' },
  ...{ deadLetters: 'DEAD LETTERS', oldest: 'OLDEST' },
};

const rowsOf = (letters: readonly DeadLetter[]) => {
  const read = letters.map(({ body, sentAt }) => {
    const { data } = ForwardMessage.safeParse(tryParseJson(body));
    const { account = 'unreadable', callId } = data?.key ?? {};
    return { account, address: data?.address ?? '', callId, sentAt };
  });
  const groups = Map.groupBy(read, ({ account, address }) => JSON.stringify([account, address]));
  return [...groups.values()].map((some) => ({
    account: some[0]?.account,
    address: some[0]?.address,
    calls: new Set(some.map(({ callId }) => callId)).size,
    deadLetters: some.length,
    oldest: some.map(({ sentAt }) => sentAt).sort()[0],
  }));
};

export const forwarding: Feature = {
  status,
  notedByVerify: status,
  health,
  deadLetters: letterQueue({
    name: 'forwarded',
    queueName: 'forwarding',
    queueOf,
    needs: 'This deployment forwards nothing: set forwarding to on.',
    ...{ columns, rowsOf, waits: 'deliveries wait' },
  }),
};
