import { quarantineRow } from '../../../../lib/callback/quarantine-entry.ts';
import { callEventOf } from '../../../../lib/publish/call-event-of.ts';
import type { Facts } from '../../../../lib/record/delivery.ts';
import { admit, type CallRecord } from '../../../../lib/record/record.ts';
import { agentEntriesOf, rowOf } from '../../../../lib/record/row.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import type { Found, FoundEvent } from '../../../../torture/load/found.ts';
import { createLedger, type Ledger, nameOf } from '../../../../torture/load/ledger.ts';
import { type PreparedPost, preparedPosts } from '../../../../torture/posting/prepared-posts.ts';

/** When the first post was sent; each is answered 10 ms later, and the next one sent after a second. */
export const sentAt = Date.parse('2026-11-21T10:00:00.000Z');

/** What was posted, and all that there is because of it. */
export interface KeptWorld {
  readonly ledger: Ledger;
  readonly found: Found;
}

const replyTo = ({ meaning: { status, items } }: PreparedPost) => {
  const kept = { stored: items.length, duplicates: 0, quarantined: 0, parked: 0 };
  return { status, ...kept };
};

/** A world in which so many posts were taken in, stored and told without a fault; the same in every test. */
export const keptWorld = async (count = 150): Promise<KeptWorld> => {
  const ledger = createLedger();
  const records = new Map<string, CallRecord>();
  const rows = new Map<string, Facts>();
  const quarantine: Facts[] = [];
  const events: FoundEvent[] = [];

  for (const [index, post] of (await preparedPosts(seededRandom(7))(count)).entries()) {
    const at = sentAt + index * 1_000;
    const receivedAt = new Date(at + 5).toISOString();
    ledger.sending(post.meaning, at);
    for (const item of post.meaning.items) {
      if (item.kind === 'quarantine') {
        quarantine.push(quarantineRow({ ...item.entry, receivedAt }, 30, index));
        continue;
      }
      const name = nameOf(item.key);
      const { record } = admit(item.key, records.get(name), { ...item.delivery, receivedAt }, receivedAt);
      const after = rowOf(record, 730);
      const event = callEventOf({ sequence: '1', before: rows.get(name), after });
      records.set(name, record);
      rows.set(name, after);
      if (event !== undefined) events.push({ type: event.type, detail: event.detail });
    }
    ledger.answered(post.meaning, post.post.callId, replyTo(post), at + 10);
  }
  const entries = [...records].flatMap(([name, record]) => agentEntriesOf(record, rows.get(name) ?? {}));
  const calls = [
    ...rows.values(),
    ...new Map(entries.map((entry) => [`${entry['pk']} ${entry['sk']}`, entry])).values(),
  ];
  return { ledger, found: { calls, quarantine, events, killedAfter: [] } };
};
