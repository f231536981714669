import { ForwardMessage } from '../../functions/forward-deliveries/forward-delivery.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Deployment } from '../connection/deployment.ts';
import { backlogOf, type DeadLetter, letterQueue } from '../dead-letters.ts';
import type { Feature, StatusPart } from '../feature.ts';

const queueOf = ({ queues }: Deployment) => queues.forwarding;

const status = (deployment: Deployment): StatusPart | undefined => {
  const pair = queueOf(deployment);
  return (
    pair && {
      name: 'forwarding',
      title: 'Forwarding',
      async read() {
        const json = await backlogOf(deployment, pair);
        const { waiting, deadLetters: dead } = json;
        const hint = waiting + dead > 0 ? ': see callfeed dead-letters list forwarded' : '';
        const text = `about ${waiting} deliveries wait for another receiver, and ${dead} are dead letters${hint}`;
        return { json, text, count: waiting + dead };
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
  deadLetters: letterQueue({
    name: 'forwarded',
    named: 'forwarding',
    queueOf,
    needs: 'This deployment forwards nothing: set forwarding to on.',
    ...{ columns, rowsOf, waits: 'deliveries wait' },
  }),
};
