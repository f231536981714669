import { parkedIn } from '../../lib/callback/schema.ts';
import type { Deployment } from '../frame/deployment.ts';
import { episodesOf } from '../frame/episodes.ts';
import { type HealthText, lately, type StatusPart } from '../frame/feature.ts';
import { counted } from '../frame/texts.ts';
import { lettersToDate, queueDepth } from './sqs-letters.ts';

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
    const letters = await lettersToDate(sqs, queues.deadLetters);
    return episodesOf(
      letters.flatMap(({ body }) => parkedItem(body) ?? []),
      {
        kindOf: ({ account }) => [account],
        at: ({ receivedAt }) => receivedAt,
        tell: ({ account }, count) => ({
          account,
          what: 'dead letters',
          text: `${counted(count, 'callback')} came that recovery could not store`,
          command: ['dead-letters', 'list', 'parked'],
        }),
      },
    );
  },
});

/** What a parked message is about; undefined if it cannot be read. */
export const parkedItem = (body: string) => {
  const parked = parkedIn(body);
  if (parked === undefined) return undefined;
  if (parked.kind === 'quarantine') {
    const { account, receivedAt } = parked.entry;
    return { kind: parked.kind, account, receivedAt };
  }
  const { kind, account, callId } = parked.key;
  return { kind, account, callId, receivedAt: parked.delivery.receivedAt };
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
