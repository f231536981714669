import { describe, expect, it } from 'vitest';
import { withDerived } from '../../../lib/calls/call-row.ts';
import { maxLengths } from '../../../lib/telephony/call-fields.ts';
import { callFacts, normalisedRecords } from '../../support/call-records.ts';

const limited = [...maxLengths].flatMap(([field, maxLength]) =>
  field !== 'Apikey' && field !== 'UserName' ? [{ field, maxLength }] : [],
);

const reasonsOf = (posted: object) => callFacts(posted).notes?.map(({ field, reason }) => `${field} ${reason}`) ?? [];

describe('a note on a call', () => {
  it.each(limited)('says that $field exceeds $maxLength characters, and the value survives', ({ field, maxLength }) => {
    const overLong = '7'.repeat(maxLength + 1);
    const keyed = normalisedRecords([{ monitorUCID: '1', Status: 'Answered', [field]: overLong }]).deliveries[0];

    expect(JSON.stringify(keyed)).toContain(overLong);
    expect(keyed?.delivery.facts['notes'] ?? []).toContainEqual(expect.objectContaining({ reason: 'over-long' }));
  });

  it.each(limited)('is not made for $field of exactly $maxLength characters', ({ field, maxLength }) => {
    expect(reasonsOf({ [field]: '7'.repeat(maxLength) })).not.toContainEqual(expect.stringContaining('over-long'));
  });

  it.each([
    ['CallDuration', 'callDurationSeconds'],
    ['Duration', 'durationSeconds'],
    ['TimeToAnswer', 'timeToAnswerSeconds'],
    ['ConfDuration', 'conferenceSeconds'],
    ['HoldDuration', 'holdSeconds'],
    ['WrapUpDuration', 'wrapUpSeconds'],
  ])('keeps a %s that is no duration as sent', (field, fact) => {
    const facts = callFacts({ [field]: 'a while' });

    expect(facts.notes).toEqual([{ field: fact, reason: 'unparsable-duration', asSent: 'a while' }]);
    expect(facts).not.toHaveProperty(fact);
  });

  it.each([
    ['StartTime', 'startedAt'],
    ['EndTime', 'endedAt'],
  ])('keeps a %s that is no time as sent', (field, fact) => {
    const facts = callFacts({ [field]: '2026-02-31 10:00:00' });

    expect(facts.notes).toEqual([{ field: fact, reason: 'unparsable-time', asSent: '2026-02-31 10:00:00' }]);
    expect(facts).not.toHaveProperty(fact);
  });

  it('keeps a local time that occurred twice as sent', () => {
    expect(callFacts({ StartTime: '2026-10-25 01:30:00' }, 'Europe/London')).toMatchObject({
      startedAt: '2026-10-25T00:30:00.000Z',
      notes: [{ field: 'startedAt', reason: 'ambiguous-local-time', asSent: '2026-10-25 01:30:00' }],
    });
  });

  it('says that a value is no scalar, and keeps it as JSON', () => {
    expect(callFacts({ Skill: { id: 12345678901234567890n.toString() } })).toMatchObject({
      skillName: '{"id":"12345678901234567890"}',
      notes: [{ field: 'skillName', reason: 'not-a-scalar' }],
    });
  });

  it('loses no note where the end precedes the start, which is derived when the record is published', () => {
    const facts = callFacts({
      StartTime: '2026-11-20 11:00:00',
      EndTime: '2026-11-20 10:59:59',
      CallDuration: 'a while',
      AgentPhoneNumber: '0'.repeat(21),
    });

    expect(withDerived(facts)['notes']).toEqual([
      { field: 'agentPhoneNumber', reason: 'over-long' },
      { field: 'callDurationSeconds', reason: 'unparsable-duration', asSent: 'a while' },
      { field: 'endedAt', reason: 'end-before-start' },
    ]);
  });
});
