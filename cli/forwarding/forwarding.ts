import { ForwardMessage } from '../../functions/forward-deliveries/forward-delivery.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { letterQueue } from '../dead-letters/redrive-by-sqs.ts';
import { backlogStatus, type DeadLetter, lettersToDate } from '../dead-letters/sqs-letters.ts';
import type { Deployment } from '../frame/deployment.ts';
import { episodesOf } from '../frame/episodes.ts';
import type { AskedHappenings, Feature, Happening, HealthText } from '../frame/feature.ts';
import { counted } from '../frame/texts.ts';

const queueOf = ({ queues }: Deployment) => queues.forwarding;

/** When deliveries were given up: in a FIFO queue a letter has the time at which it became a dead one. */
const happened = async ({ deployment }: AskedHappenings): Promise<readonly Happening[]> => {
  const pair = queueOf(deployment);
  if (pair === undefined) return [];
  const letters = await lettersToDate(deployment.sqs, pair.deadLetters);
  return episodesOf(letters.map(readLetter), {
    kindOf: ({ account }) => [account],
    at: ({ sentAt }) => sentAt,
    tell: ({ account }, count) => ({
      account,
      what: 'dead letters',
      text: `${counted(count, 'delivery', 'deliveries')} for another receiver could not be sent for a day`,
      command: ['dead-letters', 'list', 'forwarded'],
    }),
  });
};

const readLetter = ({ body, sentAt }: DeadLetter) => {
  const { data } = ForwardMessage.safeParse(tryParseJson(body));
  const { account = 'unreadable', callId } = data?.key ?? {};
  return { account, address: data?.address ?? '', callId, sentAt };
};

export const forwardingBacklog = backlogStatus(
  { name: 'forwarding', title: 'Forwarding', happened },
  queueOf,
  ({ waiting, deadLetters: dead }) => {
    const hint = waiting + dead > 0 ? ': see callfeed dead-letters list forwarded' : '';
    const text = `about ${waiting} deliveries wait for another receiver, and ${dead} are dead letters${hint}`;
    return { text, count: waiting + dead, health: healthOf(waiting, dead) };
  },
);

const healthOf = (waiting: number, dead: number): HealthText => {
  const about = (count: number) => `About ${counted(count, 'delivery', 'deliveries')}`;
  const waits =
    waiting === 0
      ? 'No delivery waits for another receiver.'
      : `${about(waiting)} wait for another receiver; each is tried for a day.`;
  if (dead === 0) return { verdict: waiting > 0 ? 'unknown' : 'good', lines: [waits] };
  return {
    verdict: 'bad',
    lines: [`${about(dead)} could not be sent for a day. The command shows whose they are:`, waits],
    word: 'DEAD LETTERS',
    command: ['dead-letters', 'list', 'forwarded'],
  };
};

const columns = {
  account: 'ACCOUNT',
  address: 'ADDRESS',
  calls: 'CALLS',
  deadLetters: 'DEAD LETTERS',
  oldest: 'OLDEST',
};

const rowsOf = (letters: readonly DeadLetter[]) => {
  const read = letters.map(readLetter);
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
  status: forwardingBacklog,
  deadLetters: letterQueue({
    name: 'forwarded',
    queueName: 'forwarding',
    queueOf,
    needs: 'This deployment forwards nothing: set forwarding to on.',
    columns,
    rowsOf,
    waits: 'deliveries wait',
  }),
};
