import { describe, expect, it } from 'vitest';
import { loggableError, loggableMessage } from '../../../lib/core/result.ts';

describe('toldBy', () => {
  it('repeats our own words on a fault', () => {
    const cause = new Error('with data');

    expect(loggableMessage(loggableError('The queue refused 2 messages', cause))).toBe('The queue refused 2 messages');
    expect(loggableError('x', cause).cause).toBe(cause);
  });

  it.each([[new Error('with data')], ['text'], [undefined], [{ isLoggable: true, message: 'x' }]])(
    'repeats nothing of %s, which may hold data',
    (error) => {
      expect(loggableMessage(error)).toBeUndefined();
    },
  );
});
