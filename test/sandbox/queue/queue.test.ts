import { beforeEach, describe, expect, it } from 'vitest';
import { createQueue, type Queue } from '../../../sandbox/queue/queue.ts';

let now: number;
let deadLetters: Queue;
let queue: Queue;

beforeEach(() => {
  now = 1_000_000;
  const clock = () => now;
  deadLetters = createQueue({ name: 'dead', visibilityMilliseconds: 2_000, now: clock });
  const redrive = { maxReceiveCount: 2, to: deadLetters };
  queue = createQueue({ name: 'parking', visibilityMilliseconds: 2_000, redrive, now: clock });
});

const bodies = (of: Queue) => of.receive(10).map(({ body }) => body);

describe('createQueue', () => {
  it('shows a message again once its visibility timeout is over', () => {
    queue.send('a', {}, 0);

    expect(bodies(queue)).toEqual(['a']);
    now += 1_999;
    expect(bodies(queue)).toEqual([]);
    now += 1;
    expect(bodies(queue)).toEqual(['a']);
  });

  it('shows a delayed message when its delay is over', () => {
    queue.send('a', {}, 15_000);

    expect(bodies(queue)).toEqual([]);
    now += 15_000;
    expect(bodies(queue)).toEqual(['a']);
  });

  it('gives no more messages than asked for', () => {
    for (const body of ['a', 'b', 'c']) queue.send(body, {}, 0);

    expect(queue.receive(2)).toHaveLength(2);
    expect(queue.receive(2)).toHaveLength(1);
  });

  it('does not let an earlier receiver delete what another has received since', () => {
    queue.send('a', {}, 0);
    const [first] = queue.receive(1);
    now += 2_000;
    const [second] = queue.receive(1);

    expect(queue.remove(first?.receipt ?? '')).toBe(false);
    expect(queue.remove(second?.receipt ?? '')).toBe(true);
    expect(queue.messages()).toEqual([]);
  });

  it('moves a message to the dead letters instead of handing it over too often', () => {
    queue.send('a', {}, 0);
    for (const _ of [1, 2]) {
      expect(bodies(queue)).toEqual(['a']);
      now += 2_000;
    }

    expect(bodies(queue)).toEqual([]);
    expect(queue.messages()).toEqual([]);
    expect(bodies(deadLetters)).toEqual(['a']);
  });

  it('drops a message that is older than the queue keeps it, however often it was delayed or received', () => {
    const brief = createQueue({
      name: 'ticks',
      visibilityMilliseconds: 2_000,
      retentionMilliseconds: 60_000,
      now: () => now,
    });
    for (const delay of [0, 45_000, 60_000]) brief.send(String(delay), {}, delay);

    now += 45_000;
    expect(bodies(brief)).toEqual(['0', '45000']);
    now += 14_999;
    expect(bodies(brief)).toEqual(['0', '45000']);
    now += 1;
    expect(brief.messages()).toEqual([]);
    expect(bodies(brief)).toEqual([]);
  });

  it('tells a waiting receiver of a message, and lets go of it when it no longer waits', async () => {
    const leaving = new AbortController();
    const arrived = queue.arrival(leaving.signal);
    queue.send('a', {}, 0);
    await arrived;

    queue.receive(1);
    const waiting = queue.arrival(leaving.signal);
    leaving.abort();
    await waiting;
  });
});
