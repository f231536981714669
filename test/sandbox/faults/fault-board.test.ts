import { describe, expect, it } from 'vitest';
import { createFaultBoard } from '../../../sandbox/faults/fault-board.ts';

describe('createFaultBoard', () => {
  it('lets everything pass at first', () => {
    expect(createFaultBoard().draw('dynamodb')).toBe('none');
  });

  it.each([
    ['every request at rate 1', 1, 0.999, 'error'],
    ['no request at rate 0', 0, 0, 'none'],
    ['a request below the rate', 0.3, 0.29, 'error'],
    ['no request at or above the rate', 0.3, 0.3, 'none'],
  ])('hits %s', (_what, rate, random, mode) => {
    const board = createFaultBoard(() => random);
    board.set('queue', { mode: 'error', rate });

    expect(board.draw('queue')).toBe(mode);
    expect(board.draw('dynamodb')).toBe('none');
  });

  it('lets what hangs go on once the mode is another', async () => {
    const board = createFaultBoard();
    board.set('dynamodb', { mode: 'timeout', rate: 1 });
    let lifted = false;
    const waiting = board.lifted('dynamodb').then(() => {
      lifted = true;
    });

    board.set('queue', { mode: 'none', rate: 1 });
    board.set('dynamodb', { mode: 'timeout', rate: 0.5 });
    await Promise.resolve();
    expect(lifted).toBe(false);

    board.clear();
    await waiting;
    expect(board.state().dynamodb.mode).toBe('none');
  });
});
