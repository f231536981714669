import { Parked } from '../../lib/callback/parked.ts';
import { parsed } from '../../lib/json/parsed.ts';
import type { Letter } from './dead-letters.ts';

/** What of a letter is nobody's secret: no number and no name. */
export const toldLetter = ({ id, body, tries }: Letter) => {
  const parked = Parked.safeParse(parsed(body)).data;
  if (parked === undefined) return { id, kind: 'unreadable', tries };
  if (parked.kind === 'quarantine') {
    const { account, receivedAt } = parked.entry;
    return { id, kind: 'quarantine', account, receivedAt, tries };
  }
  const { kind, account, callId } = parked.key;
  return { id, kind, account, callId, receivedAt: parked.delivery.receivedAt, tries };
};
