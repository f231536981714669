import type { FeedNow } from '../../client/index.ts';
import { type CallbackReceipts, isHeldUp, isSilent } from '../../lib/agents/callback-receipts.ts';

/** What the rows of an account say of its callbacks: the latest one that was published, and what is wrong. */
export const callbacksOf = (feed: FeedNow | undefined, receipts: CallbackReceipts, now: Date) => {
  const silentSince = feed?.callbacksSilentSince;
  return {
    lastReceivedAt: receipts.lastReceivedAt,
    /** Since when agents have ended calls for which no callback came. */
    silentSince: isSilent(silentSince, receipts) ? silentSince : undefined,
    /** When events were last seen held up, if they still are. */
    heldUpAt: isHeldUp(receipts, now) ? receipts.heldUpAt : undefined,
  };
};

export type AccountCallbacks = ReturnType<typeof callbacksOf>;

/** Why later callbacks may have come than the latest that is known. `stuck` messages are parked, or dead letters. */
export const laterCallbacks = ({ heldUpAt }: Pick<AccountCallbacks, 'heldUpAt'>, stuck: number): readonly string[] => [
  ...(heldUpAt === undefined ? [] : ['Later ones are not seen before their events are published.']),
  ...(stuck === 0 ? [] : ['Later ones may be parked, or among the dead letters.']),
];
