import { describe, expect, it } from 'vitest';
import { tellable, toldBy } from '../../lib/tellable.ts';

describe('toldBy', () => {
  it('repeats our own words on a fault', () => {
    const cause = new Error('with data');

    expect(toldBy(tellable('The queue refused 2 messages', cause))).toBe('The queue refused 2 messages');
    expect(tellable('x', cause).cause).toBe(cause);
  });

  it.each([[new Error('with data')], ['text'], [undefined], [{ isTellable: true, message: 'x' }]])(
    'repeats nothing of %s, which may hold data',
    (error) => {
      expect(toldBy(error)).toBeUndefined();
    },
  );
});
