import { describe, expect, it } from 'vitest';
import { loggableError, loggableMessage } from '../../../lib/core/result.ts';

describe('loggableMessage', () => {
  it('returns the message of a loggable error, which has a cause', () => {
    const cause = new Error('with data');
    const error = loggableError('The queue rejected 2 messages', cause);

    expect(loggableMessage(error)).toBe('The queue rejected 2 messages');
    expect(error.cause).toBe(cause);
  });

  it.each([[new Error('with data')], ['text'], [undefined], [{ isLoggable: true, message: 'x' }]])(
    'returns nothing of %s, which may hold data',
    (error) => {
      expect(loggableMessage(error)).toBeUndefined();
    },
  );
});
