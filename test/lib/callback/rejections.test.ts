import { describe, expect, it } from 'vitest';
import { maxContentBytes, maxFields, rejectionResponses } from '../../../lib/callback/reply.ts';

describe('rejectionResponses', () => {
  it.each(Object.entries(rejectionResponses))('explain %s in one sentence', (_reason, { status, message }) => {
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect([400, 401, 404, 405, 413, 415, 503]).toContain(status);
  });

  it('have status 503 only where the service itself has a problem', () => {
    const faults = Object.entries(rejectionResponses).filter(([, { status }]) => status === 503);

    expect(faults.map(([reason]) => reason)).toEqual([
      'accounts-not-set-up',
      'accounts-unavailable',
      'stores-unavailable',
    ]);
  });

  it('name the limits', () => {
    expect(rejectionResponses['body-too-large'].message).toContain(String(maxContentBytes));
    expect(rejectionResponses['too-many-fields'].message).toContain(String(maxFields));
  });
});
