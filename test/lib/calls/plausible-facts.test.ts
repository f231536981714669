import { describe, expect, it } from 'vitest';
import { historyRowOf } from '../../../functions/transform-events/tables.ts';
import { recordOf, rowOf } from '../../../lib/calls/call-row.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import {
  callEventOf,
  callKey,
  normalisedRecords,
  participantKey,
  receivedAt,
  recordFrom,
} from '../../support/posted-records.ts';

/** Received at 11:30 on 20 November by the clocks of the account, in Asia/Kolkata. */
const call = {
  monitorUCID: '1',
  Status: 'Answered',
  StartTime: '2026-11-20 11:00:00',
  EndTime: '2026-11-20 11:02:00',
  CallDuration: '00:02:00',
  Duration: '00:01:40',
};
const participant = {
  UCID: '1',
  ExitStatus: 'x',
  StartTime: '2026-11-20 11:00:00',
  PickupTime: '2026-11-20 11:00:10',
  EndTime: '2026-11-20 11:02:00',
};

const rowOfPosts = (posts: readonly object[], at = receivedAt, account: object = demoAccount): Row => {
  const deliveries = normalisedRecords(posts, account as never, at).deliveries;
  const kind = deliveries[0]?.key.kind === 'participant' ? participantKey : callKey;
  const row = rowOf(
    recordFrom(
      deliveries.map(({ delivery }) => delivery),
      kind,
    ),
    90,
  );
  expect(rowOf(recordOf(row), 90)).toEqual(row);
  return row;
};
const rowWith = (fields: object): Row => rowOfPosts([{ ...call, ...fields }]);

/** The day in the history of the event of a row. */
const historyDay = (row: Row): unknown => {
  const event = callEventOf({ sequence: '1', before: undefined, after: JSON.parse(JSON.stringify(row)) });
  const result = historyRowOf({ 'detail-type': event?.type, detail: { ...event?.detail } });
  return result.ok ? result.value?.day : result.problem;
};

const neverSet = [
  ...['0000-00-00 00:00:00', '0001-01-01 00:00:00', '1000-01-01 00:00:00', '1753-01-01 00:00:00'],
  ...['1899-12-30 00:00:00', '1900-01-01 00:00:00', '1970-01-01 00:00:00', '1970-01-01 05:30:00'],
  ...['1969-12-31 19:00:00', '2000-01-01 00:00:00', '2037-01-01 00:00:00', '9999-12-31 23:59:59'],
];
const yearsAway = [...neverSet, '2019-03-04 09:30:00'];

describe('a time that was never set, or is years away', () => {
  it.each([
    ['StartTime', 'startedAt', '2026-11-20T05:32:00.000Z'],
    ['EndTime', 'endedAt', '2026-11-20T05:30:00.000Z'],
  ])('as %s becomes a note: the other one decides the day, and nothing is elapsed', (field, fact, listedAt) => {
    for (const asSent of yearsAway) {
      const row = rowWith({ [field]: asSent });

      expect(row, asSent).not.toHaveProperty(fact);
      expect(row, asSent).not.toHaveProperty('elapsedSeconds');
      const reason = expect.stringMatching(/^(?:implausible|unparsable)-time$/);
      expect(row).toMatchObject({ listedAt, notes: [{ field: fact, reason, asSent }] });
      expect(historyDay(row), asSent).toBe('2026-11-20');
    }
  });

  it.each(neverSet)('%s as start and end leaves the first receipt to decide the day', (sent) => {
    const row = rowWith({ StartTime: sent, EndTime: sent });

    expect(row).toMatchObject({ listedAt: receivedAt, notes: [{ field: 'endedAt' }, { field: 'startedAt' }] });
    expect(historyDay(row)).toBe('2026-11-20');
  });

  it.each(neverSet)('%s of a participant becomes a note, in each of its times', (sent) => {
    for (const [field, fact] of Object.entries({
      StartTime: 'startedAt',
      PickupTime: 'pickedUpAt',
      EndTime: 'endedAt',
    })) {
      const row = rowOfPosts([{ ...participant, [field]: sent }]);

      expect(row).not.toHaveProperty(fact);
      expect(row['notes']).toEqual([expect.objectContaining({ field: fact, asSent: sent })]);
    }
  });

  const imported = { StartTime: '2019-03-04 09:30:00', EndTime: '2019-03-04 09:32:00' };
  it.each([
    ['for a year, even alone', { StartTime: '2025-11-20 11:30:00', EndTime: '' }, '2025-11-20T06:00:00.000Z'],
    ['for many years with another one near it, as calls are imported', imported, '2019-03-04T04:00:00.000Z'],
    [
      'likewise if the two are equal, as of a call that nobody answered',
      { ...imported, EndTime: imported.StartTime },
      '2019-03-04T04:00:00.000Z',
    ],
    ['for a year ahead, but is no place in a list', { StartTime: '2027-11-20 11:29:00' }, '2026-11-20T05:32:00.000Z'],
  ])('is believed %s', (_title, fields, listedAt) => {
    const row = rowWith(fields);

    expect(row).toMatchObject({ listedAt, startedAt: expect.stringMatching(/Z$/) });
    expect(JSON.stringify(row['notes'] ?? [])).not.toContain('implausible');
  });

  it('takes no day of its own in the history, even with another one near it', () => {
    const days = Array.from({ length: 600 }, (_, index) => {
      const day = new Date(Date.UTC(2001, 0, 1 + 15 * index)).toISOString().slice(0, 10);
      return historyDay(rowWith({ StartTime: `${day} 10:00:00`, EndTime: `${day} 10:02:00` }));
    });

    expect(new Set(days).size).toBeLessThan(30);
  });

  it('yields to the time of another delivery, in whatever order they come', () => {
    const odd = { ...call, StartTime: '1970-01-01 05:30:00', Disposition: 'Sale', AudioFile: 'https://r/1' };

    for (const posts of [
      [odd, call],
      [call, odd],
    ])
      expect(rowOfPosts(posts)).toMatchObject({ startedAt: '2026-11-20T05:30:00.000Z', elapsedSeconds: 120 });
  });

  it('has the same answer however much later its row is derived again', () => {
    const row = rowWith({ StartTime: '2025-11-21 11:30:00', EndTime: '' });

    expect(rowOf({ ...recordOf(row), recordedAt: '2031-01-01T00:00:00.000Z' }, 90)['listedAt']).toBe(row['listedAt']);
  });
});

describe('a duration', () => {
  it.each([
    ['Duration', 'durationSeconds'],
    ['TimeToAnswer', 'timeToAnswerSeconds'],
    ['HoldDuration', 'holdSeconds'],
    ['WrapUpDuration', 'wrapUpSeconds'],
    ['ConfDuration', 'conferenceSeconds'],
    ['CallDuration', 'callDurationSeconds'],
    ['TotalHandlingTime', 'handleSeconds'],
    ['TotalWrapupTime', 'wrapUpSeconds'],
  ])('in %s that no call of two minutes has becomes a note, and is in no figure', (field, fact) => {
    for (const sent of ['838:59:59', '498:00:00', '24:00:01']) {
      const row = rowWith({ [field]: sent });

      expect(row).not.toHaveProperty(fact);
      expect(row['notes']).toEqual([{ field: fact, reason: 'implausible-duration', asSent: sent }]);
    }
  });

  it.each([
    ['a part that is hours longer than its call', { Duration: '05:00:00' }, ['durationSeconds']],
    ['a part that is minutes longer', { Duration: '00:30:00' }, undefined],
    ['a part of a call of no length', { EndTime: call.StartTime, CallDuration: '', Duration: '05:00:00' }, undefined],
    [
      'parts of one with a CallDuration',
      { EndTime: '', CallDuration: '06:00:00', Duration: '05:00:00', HoldDuration: '07:00:01' },
      ['holdSeconds'],
    ],
    [
      'a part of a call whose CallDuration is absurd',
      { CallDuration: '90:00:00', Duration: '80:00:00' },
      ['callDurationSeconds', 'durationSeconds'],
    ],
    ['a conference and wrap-up of a short call', { ConfDuration: '02:00:00', WrapUpDuration: '03:00:00' }, undefined],
    ['a long one', { StartTime: '2026-11-19 05:00:00', CallDuration: '30:02:00', Duration: '29:00:00' }, undefined],
  ])('is judged by the length of its call: %s', (_title, fields, noted) => {
    const notes = rowWith(fields)['notes'] as readonly { readonly field: string }[] | undefined;

    expect(notes?.map(({ field }) => field)).toEqual(noted);
  });

  it.each([
    [
      { TotalHandlingTime: '00:02:05', TotalWrapupTime: '25' },
      { handleSeconds: 125, wrapUpSeconds: 25 },
    ],
    [
      { totalHandlingTime: 125, WrapUpDuration: '20', TotalWrapupTime: '25' },
      { handleSeconds: 125, wrapUpSeconds: 20 },
    ],
    [{ TotalHandlingTime: 'a while', TotalWrapupTime: '' }, {}],
  ])('is read of undocumented sums %j, which stay as they are and change no id', (fields, facts) => {
    const row = rowWith(fields);
    const [delivery] = normalisedRecords([{ ...call, ...fields }]).deliveries;

    expect(row).toMatchObject({ ...facts, extra: expect.anything(), deliveries: [{ id: delivery?.delivery.id }] });
    expect(delivery?.delivery.facts).not.toHaveProperty('handleSeconds');
    expect('handleSeconds' in row).toBe('handleSeconds' in facts);
  });
});
