import { describe, expect, it } from 'vitest';
import { createFaultBoard, listFaults, setFault } from '../../sandbox/faults.ts';

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
  const answer = setFault(board, name, body, (text) => reported.push(text));

  return { board, reported, status: answer.status, body: JSON.parse(String(answer.body)) };
};

describe('setFault', () => {
  it('sets a fault and answers with all faults', () => {
    const { board, reported, status, body } = put('dynamodb', '{"mode":"throttle","rate":0.25}');

    expect(status).toBe(200);
    expect(body.dynamodb).toEqual({ mode: 'throttle', rate: 0.25 });
    expect(body.queue).toEqual({ mode: 'none', rate: 1 });
    expect(JSON.parse(String(listFaults(board).body))).toEqual(body);
    expect(reported).toEqual(['dynamodb: throttle, 25 % of requests']);
  });

  it('affects every request without a rate', () => {
    expect(put('provider', '{"mode":"error"}').body.provider).toEqual({ mode: 'error', rate: 1 });
  });

  it.each([
    ['dynamodb', { mode: 'none' }, 'dynamodb works again'],
    ['callbacks', { mode: 'none' }, 'callbacks work again'],
    ['callbacks', { mode: 'lose', rate: 0.1 }, 'callbacks: lose, 10 % of calls'],
  ])('logs of %s set to %j: %s', (name, fault, text) => {
    expect(put(name, JSON.stringify(fault)).reported).toEqual([text]);
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
