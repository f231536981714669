import { describe, expect, it } from 'vitest';
import { answers, maxBodyBytes, maxContentBytes, maxFields } from '../../../lib/callback/refusal.ts';

describe('answers', () => {
  it.each(Object.entries(answers))('tells for %s what is wrong in one sentence', (_reason, { status, message }) => {
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect([400, 401, 413, 415, 503]).toContain(status);
  });

  it('answer 503 only where the service itself is the trouble', () => {
    const faults = Object.entries(answers).filter(([, { status }]) => status === 503);

    expect(faults.map(([reason]) => reason)).toEqual([
      'accounts-not-set-up',
      'accounts-unavailable',
      'stores-unavailable',
    ]);
  });

  it('tell the limits that are held', () => {
    expect(answers['body-too-large'].message).toContain(String(maxContentBytes));
    expect(answers['too-many-fields'].message).toContain(String(maxFields));
    expect(maxBodyBytes).toBe(3 * maxContentBytes);
  });
});
