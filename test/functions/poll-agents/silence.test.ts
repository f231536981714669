import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { isHeldUp, isSilent, receiptsKey } from '../../../lib/agents/callback-receipts.ts';
import { secondsBetween } from '../../../lib/core/time.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { call, type Deployment, deployment, loggedIn, noAnswer } from '../../deployment/index.ts';
import { otherAccount, polledAccount } from '../../fixtures/accounts.ts';

const startedAt = '2026-11-20T05:59:50.000Z';
const at = (time: string): string => `2026-11-20T06:${time}Z`;

/** What a poll shows: the states of agents, or that it fails. Or something else that happens before the next poll. */
type Step = Readonly<Record<string, string | object>> | 'failed' | ((d: Deployment) => unknown);

/** Polls in one slot after the other, the first at 06:00:01, each by a process of its own: none remembers anything. */
const play = async (d: Deployment, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) {
    if (typeof step === 'function') {
      await step(d);
      continue;
    }
    d.service.answers({ logins: [step === 'failed' ? noAnswer('redirect') : loggedIn(step)] });
    d.restart();
    await d.poll();
  }
};

const played = async (steps: readonly Step[], accounts: readonly unknown[] = [polledAccount]) => {
  const d = await deployment({ startedAt, accounts });
  await play(d, steps);
  return d;
};

const inCall = { a: 'INCALL', b: 'INCALL', c: 'INCALL' };
const free = { a: 'READY', b: 'ACW', c: 'READY' };
const both = (state: string) => ({ a: state, b: state });
/** Three agents end a call in the second slot, and again in the fourth. */
const sixCalls = [inCall, free, inCall, free];
const third = at('00:16.000');

/** The row with the times of callbacks, as the publisher writes it. */
const receipts =
  (times: object, account = 'demo') =>
  (d: Deployment) =>
    d.dynamodb.send(
      new PutItemCommand({ TableName: d.tables.agents, Item: marshalled({ ...receiptsKey(account), ...times }) }),
    );

const until =
  (instant: string) =>
  (d: Deployment): void =>
    d.advance(instant);

const silence = (d: Deployment) => d.measured()['CallbackSilenceSeconds']?.at(-1);

describe('calls that agents end while no callback comes', () => {
  it.each<[string, readonly Step[], since: string | undefined, noted: number]>([
    ['six calls of three agents, since the third', sixCalls, third, 5],
    [
      'two calls, and three that ended later: three must have had time for a callback',
      [{ a: 'INCALL', b: 'INCALL' }, { a: 'READY', b: 'ACW' }, inCall, free],
      at('00:46.000'),
      5,
    ],
    ['three calls', [inCall, free], undefined, 3],
    [
      'many calls of two agents',
      Array(4)
        .fill([both('INCALL'), both('IDLE')])
        .flat(),
      undefined,
      4,
    ],
    ['agents who log out in a call', Array(3).fill([inCall, {}]).flat(), undefined, 0],
    ['agents who were in no call', [{}, free, { a: 'ACW', b: 'READY', c: 'IDLE' }], undefined, 0],
    ['agents who are still in a call', Array(4).fill(inCall), undefined, 0],
    ['agents with a new number', [inCall, { ...inCall, a: { AgentState: 'INCALL', PhoneNumber: '1' } }], undefined, 0],
    ['calls that ended in a failed minute', [inCall, ...Array(3).fill('failed'), free, inCall, free], undefined, 3],
    ['calls around a single failed poll', [inCall, 'failed', free, inCall, free], at('00:31.000'), 5],
    ['one before', [receipts({ lastReceivedAt: '2026-11-20T05:59:00.000Z' }), inCall, ...sixCalls], at('00:31.000'), 5],
    ['a callback after them', [...sixCalls, receipts({ lastReceivedAt: at('01:00.000') }), free], undefined, 0],
    [
      'a callback in the minute before, as its time may be a minute early',
      [...sixCalls, receipts({ lastReceivedAt: '2026-11-20T05:59:30.000Z' }), free],
      undefined,
      2,
    ],
    ['a publisher that was behind then', [...sixCalls, receipts({ heldUpAt: at('00:46.000') }), free], undefined, 0],
    ['callbacks that were parked then', [...sixCalls, receipts({ recoveredAt: at('00:46.000') }), free], undefined, 0],
    ['a failure after one', [...sixCalls, receipts({ lastReceivedAt: at('01:00.000') }), 'failed', free], undefined, 0],
    ['nothing more, for as long as it takes', [...sixCalls, free, {}, {}], third, 5],
    ['more calls an hour later', [inCall, free, until(at('59:50.000')), inCall, free], third, 5],
    ['more calls over an hour later', [inCall, free, until('2026-11-20T07:00:05.000Z'), inCall, free], undefined, 3],
    ['enough calls, then the end of work', [...sixCalls, until('2026-11-20T08:00:00.000Z'), inCall, free], third, 5],
  ])('count for %s', async (_title, steps, since, noted) => {
    const d = await played(steps);

    expect(silence(d)).toBe(since === undefined ? 0 : secondsBetween(since, d.now()));
    expect(Object((await d.feed())?.['poller']).endedCalls?.length ?? 0).toBe(noted);
  });

  const atSlotStart = (d: Deployment) => d.poll(at('00:15.000'));
  const answerFree = (d: Deployment) => d.service.answers({ logins: [loggedIn(free)] });
  it.each<[readonly Step[], since: string, slots: number]>([
    // The slot of 06:06:30 is the first that begins six minutes after 06:00:16, and 06:06:15 after 06:00:15.
    [sixCalls, third, 1],
    [[inCall, answerFree, atSlotStart, inCall, free], at('00:15.000'), 2],
  ])('are shown to readers six minutes after the third, by the slots of the attempts', async (steps, since, slots) => {
    const d = await played(steps);
    const shown: unknown[] = [];
    for (let slot = 4; slot < 27; slot++) {
      await play(d, [free]);
      shown.push((await d.feed())?.['callbacksSilentSince']);
    }

    expect(shown).toEqual([...Array(23 - slots).fill(undefined), ...Array(slots).fill(since)]);
  });

  it('are forgotten after a callback, from its post on', async () => {
    const d = await played([...sixCalls, free]);
    expect(silence(d)).toBeGreaterThan(0);
    await d.post(call());
    await d.settled();
    await play(d, [free]);

    expect(silence(d)).toBe(0);
    expect((await d.feed())?.['poller']).not.toHaveProperty('endedCalls');
  });

  it('do not count for an account without callbacks, nor once it is set to have none', async () => {
    const off = { ...polledAccount, callbacks: 'off' };
    expect(Object((await (await played(sixCalls, [off])).feed())?.['poller'])).not.toHaveProperty('endedCalls');

    const d = await played(sixCalls);
    d.putAccounts([off]);
    await d.fail('agents', { operation: 'Query', holding: 'callbacks' }).during(() => play(d, [free]));
    expect((await d.feed())?.['poller']).not.toHaveProperty('endedCalls');
    // Nothing asks when its callbacks came, so the silence is known.
    expect([silence(d), d.faults()]).toEqual([0, []]);
  });

  it('are counted though the times of callbacks cannot be read, which is tried again after a minute', async () => {
    const d = await played(sixCalls);
    d.service.answers({ logins: [loggedIn(free)] });
    d.restart();
    const reads = { operation: 'Query', holding: 'callbacks' };
    await d.fail('agents', reads).during(() => d.polls(5));

    expect(d.faults()).toEqual(['agent-store', 'agent-store']);
    expect(Object((await d.feed())?.['poller']).endedCalls).toHaveLength(5);
    expect(d.service.requests()).toHaveLength(9);
  });

  it('are counted once, wherever a process crashes', async () => {
    const many = (state: string) =>
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`agent-${index}`, state]));
    for (let step = 0; step < 14; step++) {
      const d = await played([many('INCALL')]);
      d.service.answers({ logins: [loggedIn(many('READY'))] });
      await d.fail('agents', { kind: 'crash-before', after: step, times: 1 }).during(() => d.poll());
      await d.poll();

      const { endedCalls } = Object((await d.feed())?.['poller']);
      expect([step, new Set(endedCalls.map(({ by }: { by: number }) => by)).size]).toEqual([step, 5]);
    }
  });
});

describe('several accounts', () => {
  const other = { ...otherAccount, baseUrl: polledAccount.baseUrl };

  it('measure the longest silence', async () => {
    const d = await played(
      [
        ...sixCalls,
        receipts({ lastReceivedAt: at('00:40.000') }, 'other'),
        free,
        receipts({ lastReceivedAt: '2026-11-20T05:40:00.000Z' }),
        free,
      ],
      [polledAccount, other],
    );

    expect(d.measured()['CallbackSilenceSeconds']?.slice(-2)).toEqual([45, 60]);
  });

  it('measure the silence of those that are known', async () => {
    const d = await played(sixCalls, [polledAccount, other]);
    await d.fail('agents', { holding: '"other' }).during(() => play(d, [free]));
    expect(silence(d)).toBe(45);
    const { length } = d.measured()['CallbackSilenceSeconds'] ?? [];
    await d.fail('agents').during(() => play(d, [free]));

    expect(d.measured()['CallbackSilenceSeconds']).toHaveLength(length);
  });
});

describe('callbacks', () => {
  it.each<[string, silentSince: string | undefined, receipts: object, isMissing: boolean]>([
    ['no calls that prove it', undefined, {}, false],
    ['such calls and no callback', third, {}, true],
    ['a callback a minute before them', third, { lastReceivedAt: '2026-11-20T05:59:16.000Z' }, false],
    ['a callback before that minute', third, { lastReceivedAt: '2026-11-20T05:59:15.999Z' }, true],
    ['a publisher that was behind then', third, { heldUpAt: third }, false],
    ['callbacks that were parked until then', third, { recoveredAt: third }, false],
    ['callbacks that were parked before', third, { recoveredAt: '2026-11-20T05:59:16.000Z' }, true],
  ])('are known to be missing, or not, with %s', (_title, silentSince, received, isMissing) => {
    expect(isSilent(silentSince, received)).toBe(isMissing);
  });

  it.each<[string, receipts: object, isLate: boolean]>([
    ['never seen', {}, false],
    ['seen 180 seconds ago', { heldUpAt: at('00:00.000') }, false],
    ['seen 179 seconds ago', { heldUpAt: at('00:01.000') }, true],
    ['never seen, though callbacks had been parked,', { recoveredAt: at('02:59.000') }, false],
  ])('are held up, or not, where the publisher was %s behind the stream', (_title, received, isLate) => {
    expect(isHeldUp(received, new Date(at('03:00.000')))).toBe(isLate);
  });
});
