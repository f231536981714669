import { describe, expect, it } from 'vitest';
import { withDerived } from '../../../lib/calls/call-record.ts';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import { callFacts, normalisedRecords } from '../../support/call-records.ts';

const limited = Object.entries(callFields).flatMap(([field, { kind, maxLength }]) =>
  maxLength === undefined || kind === 'sender' ? [] : [{ field, maxLength }],
);

const deliveryWith = (field: string, value: string) =>
  normalisedRecords([{ monitorUCID: '1', Status: 'Answered', [field]: value }]).deliveries[0];
const overLong = expect.objectContaining({ reason: 'over-long' });

describe('a note on a call', () => {
  it.each(limited)('marks a $field of more than $maxLength characters, which is stored in full', (limit) => {
    const longest = '7'.repeat(limit.maxLength);
    const longer = deliveryWith(limit.field, `${longest}7`);

    expect(JSON.stringify(longer)).toContain(`${longest}7`);
    expect(longer?.delivery.facts['notes']).toContainEqual(overLong);
    expect(deliveryWith(limit.field, longest)?.delivery.facts['notes'] ?? []).not.toContainEqual(overLong);
  });

  it.each([
    ['CallDuration', 'callDurationSeconds', 'unparsable-duration', 'a while'],
    ['Duration', 'durationSeconds', 'unparsable-duration', 'a while'],
    ['TimeToAnswer', 'timeToAnswerSeconds', 'unparsable-duration', 'a while'],
    ['ConfDuration', 'conferenceSeconds', 'unparsable-duration', 'a while'],
    ['HoldDuration', 'holdSeconds', 'unparsable-duration', 'a while'],
    ['WrapUpDuration', 'wrapUpSeconds', 'unparsable-duration', 'a while'],
    ['StartTime', 'startedAt', 'unparsable-time', '2026-02-31 10:00:00'],
    ['EndTime', 'endedAt', 'unparsable-time', '2026-02-31 10:00:00'],
  ])('has the text of a %s that cannot be parsed, in place of %s', (field, fact, reason, asSent) => {
    const facts = callFacts({ [field]: asSent });

    expect(facts.notes).toEqual([{ field: fact, reason, asSent }]);
    expect(facts).not.toHaveProperty(fact);
  });

  const [twice, never] = ['ambiguous-local-time', 'skipped-local-time'].map((reason) => [
    { field: 'startedAt', reason },
  ]);
  it.each<[string, readonly string[], object]>([
    [
      'occurs once',
      [
        ...['2026-10-25 03:30:00', '2026:10:25 03:30:00', ' 2026/10/25  03:30:00.0', '2026-10-25t03:30:00'],
        ...['2026-10-25T03:30:00Z', '2026-10-25 03:30:00 +00:00', '2026-10-25T09:00:00.000+0530'],
      ],
      { startedAt: '2026-10-25T03:30:00.000Z' },
    ],
    [
      'occurs twice, and is the first of them',
      [
        ...['2026-10-25 01:30:00', '2026:10:25 01:30:00', ' 2026/10/25  01:30:00.0', '2026-10-25t01:30:00'],
        ...['2026-10-25T00:30:00Z', '2026-10-25 01:30:00 +01:00', '2026-10-25T06:00:00.000+0530'],
      ],
      { startedAt: '2026-10-25T00:30:00.000Z', notes: twice },
    ],
    [
      'occurs twice, and is the second of them',
      ['2026-10-25T01:30:00Z', '2026-10-25 01:30:00 +00:00', '2026-10-25T07:00:00.000+0530'],
      { startedAt: '2026-10-25T01:30:00.000Z' },
    ],
    [
      'never occurs',
      ['2026-03-29 01:30:00', '2026:03:29 01:30:00', ' 2026/03/29  01:30:00.0', '2026-03-29t01:30:00'],
      {
        startedAt: '2026-03-29T01:30:00.000Z',
        notes: [{ ...never?.[0], asSent: '2026-03-29 01:30:00' }],
      },
    ],
  ])('reads a time alike in every spelling, if it %s', (_when, spellings, expected) => {
    for (const StartTime of spellings)
      expect(callFacts({ StartTime }, 'Europe/London')).toEqual({ timeZone: 'Europe/London', ...expected });
  });

  it.each([
    [
      'an object in place of a text',
      'Skill',
      { id: '12345678901234567890' },
      'skillName',
      '{"id":"12345678901234567890"}',
    ],
    ['a list in place of a chain', 'AgentID', ['a -> b', 7], 'agentIds', '["a -> b","7"]'],
    ['an object in place of an id', 'UCID', { a: '1' }, 'ucid', '{"a":"1"}'],
    ['a list in place of a word', 'Status', ['Answered'], 'status', '["Answered"]'],
    ['an object in place of a time', 'EndTime', { at: '11:00' }, 'endedAt', '{"at":"11:00"}'],
    ['a list in place of a recording', 'AudioFile', ['https://r/1'], 'recordings', '["https://r/1"]'],
  ])('has %s as JSON, and the field has no value', (_title, field, sent, fact, asSent) => {
    expect(callFacts({ [field]: sent })).toEqual({
      timeZone: 'Asia/Kolkata',
      notes: [{ field: fact, reason: 'not-a-scalar', asSent }],
    });
  });

  it('remains when the row gets a derived note on an end before the start', () => {
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
