import type { Trial } from '../receiver.ts';
import type { Reply } from './reply.ts';

const deliveriesIn = ({ calls }: Trial): number =>
  calls.reduce((sum, { deliveries }) => sum + (Array.isArray(deliveries) ? deliveries.length : 0), 0);

/** Rows that count strangers' posts hold no body. */
const entriesIn = ({ quarantine }: Trial): number => quarantine.filter(({ body }) => body !== undefined).length;

const sumOf = (replies: readonly Reply[], name: 'stored' | 'quarantined'): number =>
  replies.reduce((sum, reply) => sum + reply[name], 0);

/** Whether as much is kept as the replies say, and nothing of what was refused without being kept. */
export const miscounted = (trial: Trial, replies: readonly Reply[]): readonly string[] => {
  const stored = sumOf(replies, 'stored');
  const quarantined = sumOf(replies, 'quarantined');
  const entries = entriesIn(trial);
  const failures: string[] = [];

  if (deliveriesIn(trial) !== stored)
    failures.push(`${stored} stored by the reply, ${deliveriesIn(trial)} in the rows`);
  // The same content twice is one row.
  if (entries > quarantined || (entries === 0 && quarantined > 0))
    failures.push(`${quarantined} quarantined by the reply, ${entries} in the rows`);
  if (trial.parked > 0) failures.push(`${trial.parked} parked, though no table was down`);
  for (const { status, reason, stored: taken, duplicates, quarantined: kept } of replies) {
    if (status === 200 && taken + duplicates + kept === 0) failures.push('Taken, but nothing was stored');
    if (status === 400 && kept === 0) failures.push(`Refused as ${reason} and not kept`);
    if (status !== 200 && status !== 400 && taken + duplicates + kept > 0)
      failures.push(`Refused as ${reason}, yet kept`);
  }
  return failures;
};
