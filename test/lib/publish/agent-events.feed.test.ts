import { describe, expect, it } from 'vitest';
import { newPollStatus, pollAnswered, pollFailed } from '../../../lib/agents/poll-status.ts';
import { feedChangeRow } from '../../../lib/agents/rows.ts';
import type { PollStatus } from '../../../lib/agents/schema.ts';
import { eventsOf } from '../../../lib/publish/events-of-change.ts';
import type { PollProblem } from '../../../lib/telephony/service/service.ts';

const began = '2026-11-20T06:00:00.000Z';
const failedAt = ['2026-11-20T06:00:01.000Z', '2026-11-20T06:00:31.250Z'];
/** When the picture became stale, whenever a poll has noticed it. */
const interruptedAt = '2026-11-20T06:00:30.001Z';
const restoredAt = '2026-11-20T06:05:01.000Z';
const recordedAt = '2026-11-20T06:05:01.500Z';

const fresh = newPollStatus('demo', new Date(began));
const picture = (at: string) => ({ at, counts: {}, unreadableRecords: 0 });
const live = pollAnswered(fresh, picture(began));
const failed = (feed: PollStatus, reason: PollProblem) =>
  failedAt.reduce((before, at) => pollFailed(before, { reason }, new Date(at)), feed);
const interrupted = failed(live, 'timeout');
const restored = pollAnswered(interrupted, picture(restoredAt));

const interruption = feedChangeRow(live, interrupted, recordedAt, 90);
const restoration = feedChangeRow(interrupted, restored, recordedAt, 90);
const eventsAfter = (after: typeof interruption) => eventsOf({ sequence: '1', after });

const envelope = { schemaVersion: 1, id: expect.stringMatching(/^[0-9a-f]{32}$/), account: 'demo', recordedAt };

describe('feedEventOf', () => {
  it('publishes an interruption with its reason', () => {
    expect(eventsAfter(interruption)).toEqual([
      {
        type: 'Agent Feed Interrupted',
        key: 'feed demo',
        detail: { ...envelope, occurredAt: interruptedAt, asOf: began, reason: 'timeout' },
      },
    ]);
  });

  it('publishes an interruption before the first successful poll, without asOf', () => {
    const [event] = eventsAfter(feedChangeRow(fresh, failed(fresh, 'unauthorised'), recordedAt, 90));

    expect(event).toMatchObject({
      type: 'Agent Feed Interrupted',
      detail: { reason: 'unauthorised', occurredAt: '2026-11-20T06:00:31.001Z' },
    });
    expect(event?.detail).not.toHaveProperty('asOf');
  });

  it('publishes the restoration, with the length of the interruption in whole seconds', () => {
    expect(eventsAfter(restoration)).toEqual([
      {
        type: 'Agent Feed Restored',
        key: 'feed demo',
        detail: { ...envelope, occurredAt: restoredAt, asOf: restoredAt, interruptedAt, secondsInterrupted: 271 },
      },
    ]);
  });

  it('replays a marked row unchanged, once for each mark', () => {
    const [first] = eventsAfter(interruption);
    const replayedAt = '2026-11-21T10:00:00.000Z';
    const marked = { ...interruption, replayedAt };

    expect(eventsOf({ sequence: '2', before: interruption, after: marked })).toEqual([
      { ...first, detail: { ...first?.detail, replayedAt } },
    ]);
    expect(eventsOf({ sequence: '3', before: marked, after: marked })).toEqual([]);
    expect(eventsOf({ sequence: '4', before: marked, after: interruption })).toEqual([]);
  });

  it('publishes nothing for a row that is rewritten or removed', () => {
    expect(eventsOf({ sequence: '1', before: interruption, after: interruption })).toEqual([]);
    expect(eventsOf({ sequence: '1', before: interruption })).toEqual([]);
  });

  it('gives each change an id of its own, the same whenever it is read or was written', () => {
    const later = feedChangeRow(live, interrupted, '2027-01-01T00:00:00.000Z', 9);
    const rows = [interruption, restoration, { ...interruption, account: 'other' }, { ...interruption, at: began }];

    expect(eventsAfter(later)[0]?.detail.id).toBe(eventsAfter(interruption)[0]?.detail.id);
    expect(new Set(rows.map((row) => eventsAfter(row)[0]?.detail.id)).size).toBe(rows.length);
  });

  it('throws for a row of kind feed-change that is not one', () => {
    expect(() => eventsAfter({ pk: 'demo#feed', sk: began, kind: 'feed-change', status: 'starting' })).toThrow();
  });
});
