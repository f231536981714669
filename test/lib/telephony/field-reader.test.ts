import { describe, expect, it } from 'vitest';
import { asCallback } from '../../../functions/reconcile-calls/reported-fields.ts';
import { withDerived } from '../../../lib/calls/call-record.ts';
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
  uniqueNames,
} from '../../../lib/telephony/posted-fields.ts';
import { agentStates } from '../../../lib/telephony/vocabularies.ts';
import { agentFacts, callFacts, normalisedRecords } from '../../support/posted-records.ts';

const limited = Object.entries(callFields).flatMap(([field, { kind, max }]) =>
  max === undefined || kind === 'sender' ? [] : [{ field, max }],
);

const deliveryWith = (field: string, value: string) =>
  normalisedRecords([{ monitorUCID: '1', Status: 'Answered', [field]: value }]).deliveries[0];
const overLong = expect.objectContaining({ reason: 'over-long' });

describe('a note on a call', () => {
  it.each(limited)('marks a $field of more than $max characters, which is stored in full', (limit) => {
    const longest = '7'.repeat(limit.max);
    const longer = deliveryWith(limit.field, `${longest}7`);

    expect(JSON.stringify(longer)).toContain(`${longest}7`);
    expect(longer?.delivery.facts['notes']).toContainEqual(overLong);
    expect(deliveryWith(limit.field, longest)?.delivery.facts['notes'] ?? []).not.toContainEqual(overLong);
  });

  const parsed = Object.entries(callFields).flatMap(([field, { kind, fact }]): [string, string, string, string][] => {
    if (kind === 'duration') return [[field, fact, 'unparsable-duration', 'a while']];
    if (kind === 'urls') return [[field, fact, 'no-link', 'busy']];
    return kind === 'time' ? [[field, fact, 'unparsable-time', '2026-02-31 10:00:00']] : [];
  });
  it.each(parsed)('has the text of a %s that cannot be parsed, in place of %s', (field, fact, reason, asSent) => {
    const facts = callFacts({ [field]: asSent });

    expect(facts.notes).toEqual([{ field: fact, reason, asSent }]);
    expect(facts).not.toHaveProperty(fact);
  });

  const twice = [{ field: 'startedAt', reason: 'ambiguous-local-time' }];
  const never = [{ field: 'startedAt', reason: 'skipped-local-time', asSent: '2026-03-29 01:30:00' }];
  it.each<[string, string, object]>([
    ['occurs once', ' 2026/10/25  03:30:00.0', { startedAt: '2026-10-25T03:30:00.000Z' }],
    ['is the first of two', '2026:10:25 01:30:00', { startedAt: '2026-10-25T00:30:00.000Z', notes: twice }],
    ['is the first, by its zone', '2026-10-25T00:30:00Z', { startedAt: '2026-10-25T00:30:00.000Z', notes: twice }],
    ['is the second of two', '2026-10-25T07:00:00.000+0530', { startedAt: '2026-10-25T01:30:00.000Z' }],
    ['never occurs', '2026:03:29 01:30:00', { startedAt: '2026-03-29T01:30:00.000Z', notes: never }],
  ])('says of a time in London whether it can be another: one that %s', (_when, StartTime, expected) => {
    expect(callFacts({ StartTime }, 'Europe/London')).toStrictEqual({ timeZone: 'Europe/London', ...expected });
  });

  it.each([
    ['an object in place of a text', 'Skill', { id: '12345678901234567' }, 'skillName', '{"id":"12345678901234567"}'],
    ['a list in place of a chain', 'AgentID', ['a -> b', 7], 'agentIds', '["a -> b","7"]'],
    ['an object in place of an id', 'UCID', { a: '1' }, 'ucid', '{"a":"1"}'],
    ['a list in place of a word', 'Status', ['Answered'], 'status', '["Answered"]'],
    ['an object in place of a time', 'EndTime', { at: '11:00' }, 'endedAt', '{"at":"11:00"}'],
    ['an object in place of a recording', 'AudioFile', { url: 'https://r/1' }, 'recordings', '{"url":"https://r/1"}'],
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
  const day = '2026-11-20';
  const next = '2026-11-21';
  it.each([
    ['with their date', day, '09:00:00', '09:05:00', `${day} 09:00:00`, `${day} 09:05:00`],
    ['over midnight, if the end is smaller', day, '23:59:50', '00:00:10', `${day} 23:59:50`, `${next} 00:00:10`],
    ['over the end of a year', '2026-12-31', '23:59:50', '00:00:10', '2026-12-31 23:59:50', '2027-01-01 00:00:10'],
    ['not over most of a day', day, '13:00:01', '13:00:00', `${day} 13:00:01`, `${day} 13:00:00`],
    ['not over half a day', day, '13:00:00', '01:00:00', `${day} 13:00:00`, `${day} 01:00:00`],
    ['without an end', day, '09:00:00', '', `${day} 09:00:00`, ''],
    ['with an end that is none', day, '09:00:00', 'later', `${day} 09:00:00`, 'later'],
    ['with hours of one digit, and fractions', day, '9:05:09', '10:00:00.0', `${day} 09:05:09`, `${day} 10:00:00`],
    ['after a start on the day before', next, `${day} 23:59:50`, '00:00:10', `${day} 23:59:50`, `${next} 00:00:10`],
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
    ...['2026-11-20 00:00:00', '20-11-2026', '20/11/2026 00:00', '2026/11/20', '2026-11-20T00:00:00'].map(
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

/** The states as production and the specification write them, and our words for them. */
const stateRows = [
  ['READY', 'ready'],
  ['ACW', 'acw'],
  ['IDLE', 'idle'],
  ['Idle', 'idle'],
  ['BUSY', 'busy'],
  ['INCALL', 'in-call'],
  ['calling', 'calling'],
  ['AUX', 'aux'],
  ['PAUSE', 'pause'],
  ['release', 'release'],
  ['OFFLINE', 'offline'],
] as const;

const capitalised = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;

it.each(['Apikey', 'UserName'] as const)('%s only decides the account: nothing of it is kept', (field) => {
  expect(callFacts({ [field]: ['secret'] })).toEqual({ timeZone: 'Asia/Kolkata' });
});

it('a chain of nothing has no value', () => {
  const chains = Object.entries(callFields).filter(([, { kind }]) => /chain|words/.test(kind));
  expect(callFacts(Object.fromEntries(chains.map(([field]) => [field, '->'])))).toEqual({ timeZone: 'Asia/Kolkata' });
});

describe('an agent’s state', () => {
  it.each(stateRows)('%s is %s in any letter case, with the word as sent beside it', (word, state) => {
    for (const sent of [word, word.toLowerCase(), word.toUpperCase(), capitalised(word)])
      expect(agentFacts({ AgentState: sent })).toMatchObject({ state, stateAsSent: sent });
  });

  it('covers every word of the vocabulary', () => {
    expect(new Set(stateRows.map(([, state]) => state))).toEqual(new Set(agentStates.words));
  });

  it.each(['Lunching', 'Break 2', 'READY2', 'toString', '__proto__', 'logged-out', 'unknown', '7'])(
    'is unknown for the undocumented word "%s", which is stored as sent',
    (sent) => {
      expect(agentFacts({ AgentState: sent })).toMatchObject({ state: 'unknown', stateAsSent: sent });
    },
  );
});

const known = spellings(['dId', 'Status', 'AgentID']);
const folded = (posted: JsonObject) => {
  const { fields, extra, nested } = fieldTexts(Object.entries(posted), known);
  return { fields: Object.fromEntries(fields), extra, nested: [...nested] };
};

describe('fieldTexts', () => {
  const did = { fields: { dId: '91' }, extra: {}, nested: [] };
  it.each<[string, JsonObject, object]>([
    ...['dId', 'Did', 'DID', 'DId', 'did'].map((name): [string, JsonObject, object] => [
      `maps ${name} to the documented spelling`,
      { [name]: '91' },
      did,
    ]),
    ['takes two spellings with the same value for one', { Did: '91', DID: '91 ' }, did],
    ['takes the spelling that has a value', { Did: 'None', DID: '91', dId: null }, did],
    ['returns unknown keys in the spelling sent', { 'tenant Code': 'x' }, { extra: { 'tenant Code': 'x' } }],
    [
      'returns the other values of two spellings as extra fields',
      { Did: '91', DID: '92', dId: '93' },
      { fields: { dId: '91' }, extra: { DID: '92', dId: '93' } },
    ],
    ['returns true as text', { Status: true }, { fields: { Status: 'true' } }],
    ['returns false as text', { Status: false }, { fields: { Status: 'false' } }],
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

it('uniqueNames numbers a repeated name', () => {
  const names = ['a', 'b', 'a', 'a', '__proto__', '__proto__'].map(uniqueNames());

  expect(names).toEqual(['a', 'b', 'a (2)', 'a (3)', '__proto__', '__proto__ (2)']);
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
    'NaN',
    'nil',
    'Unknown',
    'undefined',
    undefined,
  ];
  const ids = ['1', '01', '10', '0.5', '-2', '00000000000000001', 'A0', 'NA1', 'Anna', 'unknown-1', '[]', '--'];

  expect(placeholders.filter((text) => idOf(text) !== undefined)).toEqual([]);
  expect(ids.map((text) => idOf(` ${text} `))).toEqual(ids);
});

/** What a chain of ids is split into, and a chain of texts: the same, unless it is said otherwise. */
it.each<[title: string, text: string, ofIds: readonly string[] | undefined, ofTexts?: readonly string[]]>([
  ['a single value', '1001', ['1001']],
  ['values joined by an arrow', '1001 -> 1002 -> 1003', ['1001', '1002', '1003']],
  ['an arrow at the beginning', ' -> 1001 -> 1002', ['1001', '1002']],
  ['an arrow at the beginning, trimmed', '-> 1001', ['1001']],
  ['an arrow at the end', '1001 ->', ['1001']],
  ['blanks between, which are omitted', 'a -> None ->  -> - -> b', ['a', 'b']],
  ['the same value twice, since one agent may be in a call twice', 'a -> a', ['a', 'a']],
  ['line breaks around the arrow', 'a\n->\nb', ['a', 'b']],
  ['a value with a hyphen or an angle bracket', 'a-1 > 2 -> b<c', ['a-1 > 2', 'b<c']],
  ['nothing', '', undefined],
  ['an arrow alone', ' -> ', undefined],
  ['blanks alone', '-> - -> None', undefined],
  // People write arrows without blanks.
  ['an arrow without blanks', 'a->b->c', ['a', 'b', 'c'], ['a->b->c']],
  ['an arrow with a blank on one side', 'a-> b ->c', ['a', 'b', 'c'], ['a-> b ->c']],
  ['both', 'Plan A->B -> Sold', ['Plan A', 'B', 'Sold'], ['Plan A->B', 'Sold']],
  ['an arrow without blanks at each end', '->a->', ['a'], ['->a->']],
  ['blanks between arrows without blanks', 'a->None->->b', ['a', 'b'], ['a->None->->b']],
  ['an arrow without blanks alone', '->', undefined, undefined],
])('a chain is split: %s', (...row) => {
  const [, text, ofIds, ofTexts = ofIds] = row;
  expect(splitChain(text)).toEqual(ofIds);
  expect(splitTextChain(text)).toEqual(ofTexts);
});
