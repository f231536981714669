import { describe, expect, it } from 'vitest';
import type { Json } from '../../../lib/core/json.ts';
import { asCallback } from '../../../lib/telephony/call-fields.ts';

const read = (record: Readonly<Record<string, Json>>) => Object.fromEntries(asCallback(Object.entries(record)));

type Row = [what: string, record: Readonly<Record<string, Json>>, expected: Readonly<Record<string, Json>>];

const oddTimes: readonly Readonly<Record<string, Json>>[] = [
  { CallDate: '20-11-2026', StartTime: '09:00:00', EndTime: '09:05:00' },
  { CallDate: '2026-11-20', StartTime: '2026-11-20 09:00:00', EndTime: '2026-11-20 09:05:00' },
  { CallDate: '2026-11-20', StartTime: '09:00:00', EndTime: 'later' },
  { StartTime: '09:00:00', EndTime: '09:05:00' },
  { CallDate: null, StartTime: ['09:00:00'] },
];

describe('a record of the report, as a callback', () => {
  it.each<Row>([
    [
      'has the callback’s names',
      { CallID: '1', CallAudio: 'a', CustomerDialStatus: 'b', agentdialstatus: 'c', ConferenceDuration: '00:00:01' },
      { monitorUCID: '1', AudioFile: 'a', CustomerStatus: 'b', AgentStatus: 'c', ConfDuration: '00:00:01' },
    ],
    [
      'has times with their date',
      { CallDate: '2026-11-20', StartTime: '09:00:00', EndTime: '09:05:00' },
      { StartTime: '2026-11-20 09:00:00', EndTime: '2026-11-20 09:05:00' },
    ],
    [
      'ends on the next day, if its end is smaller than its start',
      { CallDate: '2026-12-31', StartTime: '23:59:50', EndTime: '00:00:10' },
      { StartTime: '2026-12-31 23:59:50', EndTime: '2027-01-01 00:00:10' },
    ],
    [
      'ends on the same day, if it would last for most of a day otherwise',
      { CallDate: '2026-11-20', StartTime: '09:00:01', EndTime: '09:00:00' },
      { StartTime: '2026-11-20 09:00:01', EndTime: '2026-11-20 09:00:00' },
    ],
    [
      'may lack an end',
      { CallDate: '2026-11-20', StartTime: '09:00:00', EndTime: '' },
      { StartTime: '2026-11-20 09:00:00' },
    ],
    ...oddTimes.map((odd): Row => [`keeps times of another form: ${JSON.stringify(odd)}`, odd, odd]),
    [
      'has blanks for the plus signs of an encoded text',
      { Comments: 'called+back', Skill: 'Sales+UK', Disposition: '1+1', CallerID: '+919876543210' },
      { Comments: 'called back', Skill: 'Sales UK', Disposition: '1 1', CallerID: '+919876543210' },
    ],
    ['keeps plus signs beside blanks', { Comments: 'plan A+B please' }, { Comments: 'plan A+B please' }],
    ['keeps what is no text', { Comments: ['a+b'] }, { Comments: ['a+b'] }],
  ])('%s', (_what, record, expected) => {
    expect(read(record)).toEqual(expected);
  });
});
