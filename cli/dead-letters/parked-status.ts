import { parkedIn } from '../../lib/callback/schema.ts';
import type { Deployment } from '../frame/deployment.ts';
import { episodes } from '../frame/episodes.ts';
import { type HealthText, lately, type StatusPart } from '../frame/feature.ts';
import { counted } from '../frame/report.ts';
import { queueDepth, readLetters } from './sqs-letters.ts';

/** What waits in the parking queue until its table takes it. */
export const parkedPart = (deployment: Deployment): StatusPart => ({
  name: 'parked',
  title: 'Parked',
  async read() {
    const count = await queueDepth(deployment, deployment.queues.parking);
    const health = count === 0 ? noneWaits : parkedText(count, deployment.bus.kind);
    return { json: count, text: `about ${count} messages being retried`, count, health };
  },
});

const noneWaits: HealthText = { verdict: 'good', lines: ['No call waits for its table.'] };

type BusKind = Deployment['bus']['kind'];

const parkedText = (count: number, bus: BusKind): HealthText => {
  const again = bus === 'sandbox' ? 'every few seconds' : 'every six minutes for a day';
  const wait = `About ${counted(count, 'message')} wait until the table takes them; they are tried again ${again}.`;
  return {
    verdict: 'bad',
    lines: [`${wait} If that lasts longer than half an hour, see docs/runbook.md#parked-overdue.`],
    command: lately,
  };
};

/** What recovery could not store. The posts were acknowledged, and are nowhere else. */
export const deadLettersPart = (deployment: Deployment): StatusPart => ({
  name: 'deadLetters',
  title: 'Dead letters',
  async read() {
    const count = await queueDepth(deployment, deployment.queues.deadLetters);
    const health = count === 0 ? noDeadLetters : deadLettersText(count, deployment.bus.kind);
    return { json: count, text: `about ${count} messages that recovery could not store`, count, health };
  },
  happened: async ({ deployment: { sqs, queues } }) => {
    const letters = await readLetters(sqs, queues.deadLetters, maxDatedLetters, () => undefined);
    const received = letters.flatMap(({ body }) => receiptOf(parkedIn(body)) ?? []);
    return [...Map.groupBy(received, ({ account }) => account)].flatMap(([account, ofAccount]) =>
      episodes(ofAccount.map(({ receivedAt }) => receivedAt)).map(({ count, ...time }) => ({
        ...time,
        account,
        what: 'dead letters' as const,
        text: `${counted(count, 'callback')} came that recovery could not store`,
        command: ['dead-letters', 'list', 'parked'],
      })),
    );
  },
});

/** All of them are hidden from other readers while they are read. */
const maxDatedLetters = 1_000;

const receiptOf = (parked: ReturnType<typeof parkedIn>) => {
  if (parked === undefined) return undefined;
  if (parked.kind === 'quarantine') return { account: parked.entry.account, receivedAt: parked.entry.receivedAt };
  return { account: parked.key.account, receivedAt: parked.delivery.receivedAt };
};

const noDeadLetters: HealthText = { verdict: 'good', lines: ['None.'] };

const deadLettersText = (count: number, bus: BusKind): HealthText => {
  const time = bus === 'sandbox' ? 'in the time that is set' : 'for a day, and SQS deletes them some 14 days later';
  return {
    verdict: 'bad',
    lines: [
      `About ${counted(count, 'message')} could not be stored ${time}. Once the cause is mended, move them back:`,
    ],
    command: ['dead-letters', 'redrive', 'parked'],
  };
};
