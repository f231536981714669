import { describe, expect, it } from 'vitest';
import { eventSchemas, isEventType } from '../../../lib/contract/event-schemas.ts';

describe('isEventType', () => {
  it.each(Object.keys(eventSchemas))('is true of %s', (type) => {
    expect(isEventType(type)).toBe(true);
  });

  it.each([
    ['another word', 'Call Ended'],
    ['what every object has', 'toString'],
    ['nothing', undefined],
    ['a list', ['Agent Logged In']],
  ])('is false of %s', (_title, type) => {
    expect(isEventType(type)).toBe(false);
  });
});
