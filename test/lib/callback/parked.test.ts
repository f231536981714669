import { describe, expect, it } from 'vitest';
import { parkedIn } from '../../../lib/callback/schema.ts';
import { specificationParticipant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { normalisedRecords, receivedAt } from '../../support/call-records.ts';

describe('Parked', () => {
  const [call, participant] = normalisedRecords([summary, specificationParticipant]).deliveries;

  it.each([
    ['a call', { kind: 'delivery', ...call }],
    ['a participant', { kind: 'delivery', ...participant }],
    ['a quarantine entry', { kind: 'quarantine', entry: { reason: 'broken-json', body: '{', receivedAt } }],
    [
      'one that came to the secret address',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: true, body: '', receivedAt } },
    ],
  ])('preserves %s through the queue', (_title, parked) => {
    expect(parkedIn(JSON.stringify(parked))).toEqual(parked);
  });

  it.each([
    ['another kind', { kind: 'other' }],
    ['a delivery without a key', { kind: 'delivery', delivery: call?.delivery }],
    ['a text', 'x'],
    [
      'an entry that did not come to the secret address, and says so',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: false, body: '', receivedAt } },
    ],
  ])('rejects %s', (_title, value) => {
    expect(parkedIn(JSON.stringify(value))).toBeUndefined();
  });
});
