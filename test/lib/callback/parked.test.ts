import { describe, expect, it } from 'vitest';
import { Parked } from '../../../lib/callback/parked.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant } from '../../fixtures/participants.ts';
import { receivedAt, understood } from '../support/facts-of.ts';

const keyed = understood([{ ...specificationSummary, Apikey: sentinelKey }, specificationParticipant]).deliveries;

describe('Parked', () => {
  it.each([
    ['a call', { kind: 'delivery', ...keyed[0] }],
    ['a participant', { kind: 'delivery', ...keyed[1] }],
    ['a quarantine entry', { kind: 'quarantine', entry: { reason: 'broken-json', body: '{', receivedAt } }],
  ])('is %s again after the queue', (_title, parked) => {
    expect(Parked.parse(JSON.parse(JSON.stringify(parked)))).toEqual(parked);
  });

  it.each([
    ['another kind', { kind: 'other' }],
    ['a delivery without a key', { kind: 'delivery', delivery: keyed[0]?.delivery }],
    ['text', 'x'],
  ])('is not %s', (_title, value) => {
    expect(Parked.safeParse(value).success).toBe(false);
  });

  it('holds no key of an account', () => {
    expect(JSON.stringify(keyed)).not.toContain(sentinelKey);
  });
});
