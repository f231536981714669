import { describe, expect, it } from 'vitest';
import { maxBodyBytes, maxContentBytes, maxFields, rejectionResponses } from '../../../lib/callback/rejections.ts';

describe('answers', () => {
  it.each(Object.entries(rejectionResponses))(
    'tells for %s what is wrong in one sentence',
    (_reason, { status, message }) => {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect([400, 401, 413, 415, 503]).toContain(status);
    },
  );

  it('answer 503 only where the service itself is the trouble', () => {
    const faults = Object.entries(rejectionResponses).filter(([, { status }]) => status === 503);

    expect(faults.map(([reason]) => reason)).toEqual([
      'accounts-not-set-up',
      'accounts-unavailable',
      'stores-unavailable',
    ]);
  });

  it('tell the limits that are held', () => {
    expect(rejectionResponses['body-too-large'].message).toContain(String(maxContentBytes));
    expect(rejectionResponses['too-many-fields'].message).toContain(String(maxFields));
    expect(maxBodyBytes).toBe(3 * maxContentBytes);
  });
});
