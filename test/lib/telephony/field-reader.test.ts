import { describe, expect, it } from 'vitest';
import { asCallback } from '../../../functions/reconcile-calls/reported-fields.ts';
import type { Json, JsonObject } from '../../../lib/core/json.ts';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import {
  fieldTexts,
  idOf,
  isKeyField,
  nonBlank,
  spellings,
  splitChain,
  splitTextChain,
} from '../../../lib/telephony/posted-fields.ts';
import { callFacts } from '../../support/posted-records.ts';

describe('a note on a call', () => {
  it('marks a text that is longer than documented, which is stored in full', () => {
    const [longest, longer] = ['7'.repeat(255), '7'.repeat(256)];

    expect(callFacts({ Location: longest })).toEqual({ timeZone: 'Asia/Kolkata', location: longest });
    expect(callFacts({ Location: longer })).toMatchObject({
      location: longer,
      notes: [{ field: 'location', reason: 'over-long' }],
    });
  });

  const twice = [{ field: 'startedAt', reason: 'ambiguous-local-time' }];
  const never = [{ field: 'startedAt', reason: 'skipped-local-time', asSent: '2026-03-29 01:30:00' }];
  it.each<[string, string, object]>([
    ['is the first of two', '2026:10:25 01:30:00', { startedAt: '2026-10-25T00:30:00.000Z', notes: twice }],
    ['is the first, by its zone', '2026-10-25T00:30:00Z', { startedAt: '2026-10-25T00:30:00.000Z', notes: twice }],
    ['is the second of two', '2026-10-25T07:00:00.000+0530', { startedAt: '2026-10-25T01:30:00.000Z' }],
    ['never occurs', '2026:03:29 01:30:00', { startedAt: '2026-03-29T01:30:00.000Z', notes: never }],
  ])('says of a time in London whether it can be another: one that %s', (_when, StartTime, expected) => {
    expect(callFacts({ StartTime }, 'Europe/London')).toStrictEqual({ timeZone: 'Europe/London', ...expected });
  });

  it.each([
    ['a duration', 'CallDuration', 'a while', 'callDurationSeconds', 'unparsable-duration', 'a while'],
    ['a word for no recording', 'AudioFile', 'busy', 'recordings', 'no-link', 'busy'],
    ['a day that there is not', 'EndTime', '2026-02-31 10:00:00', 'endedAt', 'unparsable-time', '2026-02-31 10:00:00'],
    [
      'an object for a text',
      'Skill',
      { id: '12345678901234567' },
      'skillName',
      'not-a-scalar',
      '{"id":"12345678901234567"}',
    ],
    ['a list for a chain', 'AgentID', ['a -> b', 7], 'agentIds', 'not-a-scalar', '["a -> b","7"]'],
    [
      'an object for a recording',
      'AudioFile',
      { url: 'https://r/1' },
      'recordings',
      'not-a-scalar',
      '{"url":"https://r/1"}',
    ],
  ])('has %s as sent, and the field has no value', (_title, field, sent, fact, reason, asSent) => {
    expect(callFacts({ [field]: sent })).toEqual({
      timeZone: 'Asia/Kolkata',
      notes: [{ field: fact, reason, asSent }],
    });
  });
});

const read = (record: Readonly<Record<string, Json>>) =>
  Object.fromEntries(asCallback(Object.entries(record), 'Asia/Kolkata').fields);

type Row = [what: string, record: Readonly<Record<string, Json>>, expected: Readonly<Record<string, Json>>];

const oddTimes: readonly Readonly<Record<string, Json>>[] = [
  { CallDate: '2026-11-20', StartTime: '2026-11-20 09:00:00', EndTime: '2026-11-20T09:05:00' },
  { CallDate: '2026-11-20', StartTime: 'soon', EndTime: '25:00:00' },
  { CallDate: '2026-13-20', StartTime: '09:00:00' },
  { CallDate: '0000-00-00', StartTime: '1970-01-01 05:30:00', EndTime: '9:05' },
  { StartTime: '09:00:00', EndTime: '09:05:00' },
  { CallDate: null, StartTime: ['09:00:00'] },
];

describe('a record of the report, as a callback', () => {
  const [day, next] = ['2026-11-20', '2026-11-21'];
  it.each([
    ['over the end of a year', '2026-12-31', '23:59:50', '00:00:10', '2026-12-31 23:59:50', '2027-01-01 00:00:10'],
    ['not over half a day', day, '13:00:00', '01:00:00', `${day} 13:00:00`, `${day} 01:00:00`],
    ['without an end', day, '09:00:00', '', `${day} 09:00:00`, ''],
    ['with hours of one digit, and fractions', day, '9:05:09', '10:00:00.0', `${day} 09:05:09`, `${day} 10:00:00`],
    ['after a start with a date', day, `${day} 23:59:50`, '00:00:10', `${day} 23:59:50`, `${next} 00:00:10`],
  ])('has its times %s', (_what, CallDate, StartTime, EndTime, start, end) => {
    expect(read({ CallDate, StartTime, EndTime })).toEqual({ StartTime: start, EndTime: end });
  });

  it.each<Row>([
    [
      'has the callback’s names',
      { CallID: '1', CallAudio: 'a', CustomerDialStatus: 'b', agentdialstatus: 'c', ConferenceDuration: '00:00:01' },
      { monitorUCID: '1', AudioFile: 'a', CustomerStatus: 'b', AgentStatus: 'c', ConfDuration: '00:00:01' },
    ],
    [
      'has an end without a start, on the next day if the pick-up was late on this one',
      { CallDate: '2026-11-20', StartTime: '', PickupTime: '23:59:50', EndTime: '00:00:10' },
      { StartTime: '', PickupTime: '23:59:50', EndTime: '2026-11-21 00:00:10' },
    ],
    ...['2026-11-20 00:00:00', '20-11-2026', '20/11/2026 00:00'].map(
      (CallDate): Row => [
        `has its date as ${CallDate}`,
        { CallDate, StartTime: '09:00:00' },
        { CallDate, StartTime: '2026-11-20 09:00:00' },
      ],
    ),
    [
      'has its date in single digits',
      { CallDate: '5/1/2026', StartTime: '09:00:00' },
      { CallDate: '5/1/2026', StartTime: '2026-01-05 09:00:00' },
    ],
    [
      'has times with dates of their own',
      { CallDate: '2026-11-19', StartTime: '20-11-2026 23:50:00', EndTime: '2026-11-21 0:05:00' },
      { CallDate: '2026-11-19', StartTime: '2026-11-20 23:50:00', EndTime: '2026-11-21 00:05:00' },
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

it('a chain of nothing has no value', () => {
  const chains = Object.entries(callFields).filter(([, { kind }]) => /chain|words/.test(kind));
  expect(callFacts(Object.fromEntries(chains.map(([field]) => [field, '->'])))).toEqual({ timeZone: 'Asia/Kolkata' });
});

const known = spellings(['dId', 'Status', 'AgentID']);
const folded = (posted: JsonObject) => {
  const { fields, extra, nested } = fieldTexts(Object.entries(posted), known);
  return { fields: Object.fromEntries(fields), extra, nested: [...nested] };
};

describe('fieldTexts', () => {
  it.each<[string, JsonObject, object]>([
    ['maps DId to the documented spelling', { DId: '91' }, { fields: { dId: '91' }, extra: {}, nested: [] }],
    [
      'takes two spellings with the same value for one',
      { Did: '91', DID: '91 ' },
      { fields: { dId: '91' }, extra: {} },
    ],
    [
      'takes the spelling that has a value',
      { Did: 'None', DID: '91', dId: null },
      { fields: { dId: '91' }, extra: {} },
    ],
    ['returns unknown keys in the spelling sent', { 'tenant Code': 'x' }, { extra: { 'tenant Code': 'x' } }],
    [
      'returns the other values of two spellings as extra fields',
      { Did: '91', DID: '92', dId: '93' },
      { fields: { dId: '91' }, extra: { DID: '92', dId: '93' } },
    ],
    ['returns true as text', { Status: true }, { fields: { Status: 'true' } }],
    [
      'returns a list or an object as JSON text, and lists the documented fields among them',
      { AgentID: ['1', { b: '2', a: null }], more: {} },
      { fields: { AgentID: '["1",{"a":null,"b":"2"}]' }, extra: { more: '{}' }, nested: ['AgentID'] },
    ],
    ['omits the account key', { API_KEY: 'secret' }, { fields: {}, extra: {}, nested: [] }],
    [
      'replaces half a surrogate pair, which no database accepts',
      { Status: 'a\ud800', 'b\udc00': 'c' },
      { fields: { Status: 'a\ufffd' }, extra: { 'b\ufffd': 'c' } },
    ],
    [
      'numbers keys that become equal, so that no value is lost',
      { '\ud800': 'a', '\ud801': 'b', '\ud802': 'c' },
      { extra: { '\ufffd': 'a', '\ufffd (2)': 'b', '\ufffd (3)': 'c' } },
    ],
    ['names an empty key, which no database accepts', { '': 'a' }, { extra: { '(empty)': 'a' } }],
  ])('%s', (_what, posted, expected) => {
    const texts = folded(posted);
    expect({ ...texts, ...expected }).toEqual(texts);
  });

  it('moves a name that is too long for a table into the value', () => {
    const name = 'n'.repeat(70_000);

    expect(folded({ [name]: 'a', [`${name}2`]: 'b' }).extra).toEqual({
      '(long name)': `${name}: a`,
      '(long name) (2)': `${name}2: b`,
    });
  });
});

it('isKeyField accepts the spellings of the key, and no other name', () => {
  const keys = ['Apikey', 'ApiKey', 'APIKEY', 'api_key', 'api-key'];

  expect([...keys, 'key', 'apikeys', 'myapikey', 'api key', ''].filter(isKeyField)).toEqual(keys);
});

it('nonBlank has what is not blank, trimmed', () => {
  const blanks = ['', ' ', '\t\n', 'None', 'none', 'NONE', 'null', 'Null', 'NULL', '-', ' - ', ' None ', undefined];
  const others = ['0', '--', 'nil', 'Nonesuch', 'no', ' 1001 ', 'None of them'];

  expect(blanks.filter((text) => nonBlank(text) !== undefined)).toEqual([]);
  expect(others.map(nonBlank)).toEqual(others.map((text) => text.trim()));
});

it('idOf has what is no placeholder, trimmed and unchanged', () => {
  const placeholders = [
    ...['', 'None', '-', '0', '00000', '-0', '+0', ' 0 ', '-1', 'NA', 'na', 'N/A', 'n/a'],
    ...['NaN', 'nil', 'Unknown', 'undefined', undefined],
  ];
  const ids = ['1', '01', '10', '0.5', '-2', '00000000000000001', 'A0', 'NA1', 'Anna', 'unknown-1', '[]', '--'];

  expect(placeholders.filter((text) => idOf(text) !== undefined)).toEqual([]);
  expect(ids.map((text) => idOf(` ${text} `))).toEqual(ids);
});

/** What a chain of ids is split into, and a chain of texts: the same, unless it is said otherwise. */
it.each<[title: string, text: string, ofIds: readonly string[] | undefined, ofTexts?: readonly string[]]>([
  ['values joined by an arrow', '1001 -> 1002 -> 1003', ['1001', '1002', '1003']],
  ['an arrow at the beginning', ' -> 1001 -> 1002', ['1001', '1002']],
  ['blanks between, which are omitted', 'a -> None ->  -> - -> b', ['a', 'b']],
  ['the same value twice, since one agent may be in a call twice', 'a -> a', ['a', 'a']],
  ['line breaks around the arrow', 'a\n->\nb', ['a', 'b']],
  ['a value with a hyphen or an angle bracket', 'a-1 > 2 -> b<c', ['a-1 > 2', 'b<c']],
  ['an arrow alone', ' -> ', undefined],
  // People write arrows without blanks.
  ['an arrow without blanks', 'a->b->c', ['a', 'b', 'c'], ['a->b->c']],
  ['an arrow with a blank on one side', 'a-> b ->c', ['a', 'b', 'c'], ['a-> b ->c']],
  ['both', 'Plan A->B -> Sold', ['Plan A', 'B', 'Sold'], ['Plan A->B', 'Sold']],
  ['an arrow without blanks at each end', '->a->', ['a'], ['->a->']],
  ['blanks between arrows without blanks', 'a->None->->b', ['a', 'b'], ['a->None->->b']],
])('a chain is split: %s', (...row) => {
  const [, text, ofIds, ofTexts = ofIds] = row;
  expect(splitChain(text)).toEqual(ofIds);
  expect(splitTextChain(text)).toEqual(ofTexts);
});
