import { parkedIn } from '../../lib/callback/schema.ts';
import { partitionKey } from '../../lib/calls/call-keys.ts';
import { maxLetters, queueDepth, readLetters } from '../dead-letters/sqs-letters.ts';
import { commandLine, type DeploymentLocation } from '../frame/deployment.ts';
import type { CallName } from '../frame/rows.ts';
import { counted } from '../frame/texts.ts';
import { type Gap, gapIf, gapOf, isWithin, mayBeAboutRange, type PartFindings, type VerifiedPart } from './gaps.ts';

interface Parked {
  readonly waiting: number;
  readonly calls: readonly CallName[];
  /** Dead letters that name no call. Any call may be among them. */
  readonly withoutCallId: number;
  readonly isCut: boolean;
}

export const findParked = async (
  { deployment, location, accounts, range }: VerifiedPart,
  onProgress: (count: number) => void,
): Promise<PartFindings> => {
  // Counted and not read: to receive a parked message would count as one of its tries.
  const waiting = await queueDepth(deployment, deployment.queues.parking);
  const letters = await readLetters(deployment.sqs, deployment.queues.deadLetters, maxLetters, onProgress);

  const calls = new Map<string, CallName>();
  let withoutCallId = 0;
  for (const { body } of letters) {
    const parked = parkedIn(body);
    if (parked?.kind !== 'delivery') {
      if (parked === undefined || mayBeAboutRange(range, parked.entry.receivedAt)) withoutCallId += 1;
      continue;
    }
    const { key, delivery } = parked;
    const { startedAt, endedAt } = delivery.facts;
    const times = [delivery.receivedAt, startedAt ?? endedAt].filter((at) => typeof at === 'string');
    const isAsked = accounts.includes(key.account) && times.some((at) => isWithin(at, range));
    if (isAsked) calls.set(partitionKey(key.account, key.callId), { account: key.account, callId: key.callId });
  }
  const isCut = letters.length >= maxLetters;
  const found = { waiting, calls: [...calls.values()], withoutCallId, isCut };
  // `--json` has had this name since before.
  const json = { waiting, calls: found.calls, unreadable: withoutCallId, isCut };
  return { json, gaps: parkedGaps(found, location) };
};

export const parkedGaps = (
  { waiting, calls, withoutCallId, isCut }: Parked,
  location: DeploymentLocation,
): readonly Gap[] => [
  ...gapOf(calls.length, {
    what: `${counted(calls.length, 'call')} among the dead letters`,
    ids: calls.map(({ callId }) => callId),
    remedy: commandLine(location, 'dead-letters', 'redrive', 'parked'),
  }),
  ...gapOf(withoutCallId, {
    what: `${counted(withoutCallId, 'dead letter')} without a call id`,
    remedy: commandLine(location, 'dead-letters', 'list', 'parked'),
  }),
  ...gapIf(isCut, {
    what: `only ${maxLetters} dead letters were read, and there may be more`,
    remedy: commandLine(location, 'dead-letters', 'redrive', 'parked'),
  }),
  ...gapOf(waiting, {
    what: `about ${counted(waiting, 'parked message')} that recovery still tries to store, perhaps of this range`,
    remedy: { again: {}, when: 'when “callfeed status” shows none' },
  }),
];
