import { describe, expect, it } from 'vitest';
import { createClosers } from '../../sandbox/closers.ts';
import { createFaultBoard, listFaults, setFault } from '../../sandbox/faults.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { startReconciliationSchedule } from '../../sandbox/schedules.ts';

describe('createFaultBoard', () => {
  it('has no faults at first', () => {
    expect(createFaultBoard().draw('dynamodb')).toBe('none');
  });

  it.each([
    ['every request at rate 1', 1, 0.999, 'error'],
    ['no request at rate 0', 0, 0, 'none'],
    ['a request below the rate', 0.3, 0.29, 'error'],
    ['no request at or above the rate', 0.3, 0.3, 'none'],
  ])('affects %s', (_what, rate, random, mode) => {
    const board = createFaultBoard(() => random);
    board.set('queue', { mode: 'error', rate });

    expect(board.draw('queue')).toBe(mode);
    expect(board.draw('dynamodb')).toBe('none');
  });

  it('releases hanging requests once the mode changes', async () => {
    const board = createFaultBoard();
    board.set('dynamodb', { mode: 'timeout', rate: 1 });
    let released = false;
    const waiting = board.untilLifted('dynamodb').then(() => {
      released = true;
    });

    board.set('queue', { mode: 'none', rate: 1 });
    board.set('dynamodb', { mode: 'timeout', rate: 0.5 });
    await Promise.resolve();
    expect(released).toBe(false);

    board.clear();
    await waiting;
    expect(board.state().dynamodb.mode).toBe('none');
  });
});

const put = (name: string, body: string) => {
  const board = createFaultBoard();
  const reported: unknown[] = [];
  const answer = setFault(board, name, body, (...fault) => reported.push(fault));

  return { board, reported, status: answer.status, body: JSON.parse(String(answer.body)) };
};

describe('setFault', () => {
  it('sets a fault and answers with all faults', () => {
    const { board, reported, status, body } = put('dynamodb', '{"mode":"throttle","rate":0.25}');

    expect(status).toBe(200);
    expect(body.dynamodb).toEqual({ mode: 'throttle', rate: 0.25 });
    expect(body.queue).toEqual({ mode: 'none', rate: 1 });
    expect(JSON.parse(String(listFaults(board).body))).toEqual(body);
    expect(reported).toEqual([['dynamodb', { mode: 'throttle', rate: 0.25 }]]);
  });

  it('affects every request without a rate', () => {
    expect(put('provider', '{"mode":"error"}').body.provider).toEqual({ mode: 'error', rate: 1 });
  });

  it('sets what goes wrong with callbacks, and names the modes of callbacks', () => {
    expect(put('callbacks', '{"mode":"both","rate":0.1}').body.callbacks).toEqual({ mode: 'both', rate: 0.1 });
    expect(put('callbacks', '{"mode":"error"}').body.message).toContain(
      '"none" | "lose" | "poorer" | "both", "rate": 0 to 1}; without a rate, every call is affected.',
    );
  });

  it('lists the services that can fail for an unknown name', () => {
    const { status, body } = put('lambda', '{"mode":"error"}');

    expect(status).toBe(404);
    expect(body.message).toContain('dynamodb, eventbridge, queue, provider, callbacks');
  });

  it.each([
    ['an unknown mode', '{"mode":"slow"}', 'mode'],
    ['a rate above 1', '{"mode":"error","rate":2}', 'rate'],
    ['a rate below 0', '{"mode":"error","rate":-0.1}', 'rate'],
    ['an unknown field', '{"mode":"error","rat":0.5}', 'rat'],
    ['no mode', '{}', 'mode'],
    ['no JSON', 'error', 'body'],
  ])('rejects %s, and names what is allowed', (_what, text, named) => {
    const { status, body, reported, board } = put('queue', text);

    expect(status).toBe(400);
    expect(body.message).toContain(named);
    expect(body.message).toContain('"none" | "throttle" | "error" | "timeout"');
    expect(board.state().queue.mode).toBe('none');
    expect(reported).toEqual([]);
  });
});

it('asks for two days of each account a minute after the start and then every two minutes, unless runs wait', async () => {
  const queue = createQueue({ name: 'q', visibilityMilliseconds: 60_000 });
  const closers = createClosers();
  let nowMs = Date.parse('2026-11-21T18:29:30.000Z');
  const sleeps: number[] = [];
  const sent: number[] = [];
  const done = Promise.withResolvers<void>();
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    sleeps.push(milliseconds);
    sent.push(queue.messages().length);
    // After the second run its messages are taken.
    if (sleeps.length === 3) for (const { receipt = '' } of queue.receive(10)) queue.remove(receipt);
    if (sleeps.length === 4) {
      done.resolve();
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    }
    nowMs += milliseconds;
  };
  const accounts = [demoAccount, { ...demoAccount, userName: 'other', timeZone: 'UTC' }];
  startReconciliationSchedule(queue, () => accounts, closers, {
    now: () => nowMs,
    sleep,
  });
  await done.promise;
  const bodies = queue.messages().map(({ body }) => JSON.parse(body));
  await closers.closeAll();

  expect(sleeps).toEqual([60_000, 120_000, 120_000, 120_000]);
  expect(sent).toEqual([0, 2, 2, 2]);
  expect(bodies).toMatchObject([
    { kind: 'start', account: 'demo', days: ['2026-11-22', '2026-11-21'] },
    { kind: 'start', account: 'other', days: ['2026-11-21', '2026-11-20'] },
  ]);
  expect(bodies[0].run).not.toBe(bodies[1].run);
});
