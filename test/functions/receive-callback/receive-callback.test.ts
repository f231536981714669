import { describe, expect, it } from 'vitest';
import { factsOfText } from '../../../cli/renormalise/renormalise-row.ts';
import { keyFingerprint } from '../../../lib/accounts/account-index.ts';
import {
  maxContentBytes,
  maxFields,
  maxRecordFields,
  maxRecords,
  type RejectionReason,
  rejectionResponses,
} from '../../../lib/callback/reply.ts';
import { factsOf } from '../../../lib/calls/call-row.ts';
import { deliveryOf } from '../../../lib/calls/merge-deliveries.ts';
import { compressText, decompressText } from '../../../lib/core/encoding.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { call, type Deployment, deployment } from '../../deployment/index.ts';
import { demoAccount, sentinelKey } from '../../fixtures/accounts.ts';
import {
  digits,
  specificationParticipant as participant,
  specificationSummary as summary,
} from '../../fixtures/calls.ts';
import { formOf, type Request } from '../../support/local-servers.ts';
import { decompressed } from '../../support/posted-records.ts';

const callId = summary.monitorUCID;
const { Apikey: _key, ...keyless } = summary;
const { UserName: _name, ...anonymous } = keyless;
const { UCID: _ucid, ...nameless } = participant;
const stranger = { ...summary, Apikey: 'strangers-key' };
const newKey = { ...summary, Apikey: 'new-key-77' };
const ofOther = { ...summary, Apikey: 'other-key', UserName: 'other' };
const popup = { event: 'popup', CallerID: '1' };
const broken = JSON.stringify(summary).slice(0, -1);
const long = 'x'.repeat(2 * maxContentBytes);
const manyFields = 'x=1&'.repeat(maxFields);
const fieldsNamed = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, 'x']));
const withFields = (record: object, count: number) => ({
  ...record,
  ...fieldsNamed(count - Object.keys(record).length),
});
const tooMany = withFields(summary, maxRecordFields + 1);
/** As many, under one name. */
const repeated = (record: object): string => JSON.stringify(record).replace(/}$/, `${',"x":"1"'.repeat(40_000)}}`);
/** Of which `String` makes an error. */
const odd = { toString: 'x' };
const likeCall = 'CallerID=1&Status=Answered';
const likeCallInJson = '"CallerID":"1","Status":"Answered"';
const keyed = `a key ${sentinelKey}`;
const link = `https://r.example.com/1.mp3?key=${sentinelKey}`;
const links = { AudioFile: link, CallerConfAudioFile: link };
const named = { [sentinelKey]: '1', UCID: sentinelKey, CallID: sentinelKey };
const key = 'Apikey=demo-key';
const text = { 'content-type': 'text/plain' };

const form = (data: unknown, beside = '', name = 'data'): Request => ({
  body: `${formOf(data).replace('data', name)}${beside && `&${beside}`}`,
});
const inPayload = (data: object) => formOf(data).replace('data', 'payload');
const ofCall = JSON.stringify([{ UCID: callId, ExitStatus: 'HANGUP' }]);
const json = (data: unknown, type = 'application/json'): Request => ({
  body: typeof data === 'string' ? data : JSON.stringify(data),
  headers: { 'content-type': type },
});
const counts = (part: object) => ({ status: 200, stored: 0, duplicates: 0, quarantined: 0, ...part });
const because = (reason: RejectionReason) => ({ reason, message: rejectionResponses[reason].message });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...summary, monitorUCID: String(index) }));

describe('the receiver stores', () => {
  const accepted: readonly [what: string, sent: Request, stored?: number][] = [
    ['a summary', form(summary)],
    ['a summary with its key beside data', form(keyless, 'apikey=demo-key')],
    ['participants with a key beside data', form([participant], key)],
    ['a summary with its key in the query', { ...form(keyless), query: key }],
    ['a summary in another letter case of data, beside other fields', form(summary, 'tenant=42&note=see[1]', 'Data')],
    ['a list beside data', form(summary, `participants=${ofCall}`), 2],
    ['a list beside data in the query', { query: `${formOf(summary)}&participants=${ofCall}`, headers: {} }, 2],
    ['JSON with its key and a tenant in the query', { ...json(keyless), query: `tenant=42&${key}` }],
    ['JSON behind a byte-order mark', json(`\uFEFF${JSON.stringify(summary)}`)],
    ['JSON with its key beside data as an object', json({ Apikey: 'demo-key', data: keyless })],
    ['JSON with its key beside data as a text', json({ Apikey: 'demo-key', data: JSON.stringify(keyless) })],
    ['JSON beside data in JSON', json({ data: JSON.stringify(summary), participants: ofCall }), 2],
    ['data twice under one name', json(`{"data":${JSON.stringify(summary)},"data":${ofCall}}`), 2],
    ['data within data, with its key between', form({ DATA: { Apikey: 'demo-key', data: keyless } })],
    [
      'summaries with user names in any letter case',
      form([summary, { ...summary, UserName: 'Demo', monitorUCID: '2' }]),
      2,
    ],
    ['a summary and two participants', form([summary, participant, { ...participant, ParticipantNumber: '2' }]), 3],
    ['300 summaries of more than 256 KB', form(numbered(300)), 300],
    ['500 records', form(numbered(maxRecords)), maxRecords],
    ['a record of 2,000 fields', form(withFields(summary, maxRecordFields))],
    ['a record with more in one of its fields', form({ ...summary, more: fieldsNamed(maxRecordFields + 1) })],
    ['data in the query, beside a tenant’s code', { query: `tenant=42&${formOf(summary)}`, headers: {} }],
    ['a summary in the body of GET', { method: 'GET', ...form(summary) }],
    ['a summary that GET carries', { method: 'GET', query: formOf(summary), headers: {} }],
    ['a summary that HEAD carries', { method: 'HEAD', query: formOf(summary), headers: {} }],
    ['two spellings of data', json({ data: summary, Data: { ...summary, monitorUCID: '82' } }), 2],
    ['what stands beside data', json({ data: summary, participants: [{ UCID: '1', ExitStatus: 'x' }] }), 2],
    ['JSON with its slashes escaped', json(JSON.stringify(summary, null, 2).replaceAll('/', '\\/'), 'text/json')],
    ['JSON of another type', json(summary, 'application/vnd.x+json')],
    ['JSON with a charset', json(summary, 'application/json; charset=utf-8')],
    ['a form without a type', { ...form(summary), headers: {} }],
    ['a form of another type', { ...form(summary), headers: text }],
    ['a form that is declared to be JSON', { ...form(summary), headers: { 'content-type': 'application/json' } }],
    ['JSON of a form’s type', { body: ` ${JSON.stringify({ ...summary, Comments: 'a=b & c+d' })}` }],
    ['JSON of a form’s type with too many “&” for it', { body: JSON.stringify({ ...summary, Comments: manyFields }) }],
    ['JSON without a type', { ...json(summary), headers: {} }],
    ['JSON as plain text', json([summary], 'text/plain')],
    ['JSON as the name of a field', { body: encodeURIComponent(JSON.stringify(summary)) }],
    ['a status that nobody knows', form({ ...summary, Status: 'Gone' })],
    ['a key in a comment and in the links of recordings', form({ ...summary, Comments: keyed, ...links })],
    ['a key in fields within fields, in their names and in ids', form({ ...summary, more: { a: [keyed] }, ...named })],
    ['a list of PHP', { body: formOf(summary).replace('data', 'data[]') }],
    [
      'two entries of a list of PHP',
      {
        body: `data[]=${encodeURIComponent(JSON.stringify(summary))}&data[]=${encodeURIComponent(JSON.stringify({ ...summary, monitorUCID: '82' }))}`,
      },
      2,
    ],
    ['a summary under another name', { method: 'GET', query: formOf(summary).replace('data', 'payload'), headers: {} }],
    ['the fields of a form', { body: String(new URLSearchParams({ ...summary, CallDuration: '00:02:00' } as never)) }],
    ['the fields of a form beside blank data', { body: `data=+&data=&${new URLSearchParams(summary as never)}` }],
    ['data in the query beside blank JSON', { ...json(' \n'), query: formOf(summary) }],
    ['the fields of a form with texts in brackets', { body: `${likeCall}&${key}&Comments=[VIP&UUI={"vip":1}` }],
    ['the fields of a form of another type', { body: `${new URLSearchParams(summary as never)}`, headers: text }],
    ['the fields of a query', { query: String(new URLSearchParams(summary as never)), headers: {} }],
    ['a list in a list', form([[summary]])],
    ['JSON in JSON in JSON', form(JSON.stringify(JSON.stringify(summary)))],
    ['a summary under a name', form({ callDetails: summary })],
    ['a list under a name', json({ calls: [summary, { ...summary, monitorUCID: '82' }] }), 2],
    ['a body in a body', json({ body: { Records: [{ body: JSON.stringify(summary) }] } })],
    ['a list of bodies', json([{ body: summary }, { body: { ...summary, monitorUCID: '82' } }]), 2],
    [
      'a line end within a text',
      form(
        '{"monitorUCID":"53000000000000025","UserName":"demo","Apikey":"demo-key","Status":"Answered","EndTime":"2026-11-26 10:02:00","Comments":"line1\nline2"}',
      ),
    ],
    [
      'a line end, a tab, an apostrophe and a comma within a list',
      json(
        `[${JSON.stringify({ ...summary, Comments: '?' })
          .replace('?', "it\\'s\r\n\there")
          .replace(/}$/, ',}')},]`,
      ),
    ],
    ...['', '; charset=UTF-8', ' ; charset=UTF-8', ' '].map((end): [string, Request] => [
      `a form whose type ends with "${end}", with its header in upper case`,
      { ...form(summary), headers: { 'CONTENT-TYPE': `application/x-www-form-urlencoded${end}` } },
    ]),
  ];

  /** By their keys, without what tells when they were written. */
  const rowsOf = async (d: Deployment) => {
    const written = ['recordedAt', 'firstRecordedAt', 'lateCalls'];
    const fieldsOf = (row: Row) => Object.entries(row).filter(([name]) => !written.includes(name));
    return new Map((await d.rows('calls')).map((row) => [`${row['pk']} ${row['sk']}`, fieldsOf(row)]));
  };

  it.each(accepted)('%s, or parks it and stores it later as if it had not', async (_what, sent, stored = 1) => {
    const d = await deployment();
    const late = await deployment();

    expect(await d.send(sent)).toEqual(counts({ stored }));
    expect(await late.fail('dynamodb').during(() => late.send(sent))).toEqual(counts({ parked: stored }));
    expect(new Set(late.faults())).toEqual(new Set(['call-store']));
    expect(late.metrics()).toEqual({ CallbackRecordsAccepted: stored });
    await late.settled();
    expect(await rowsOf(late)).toEqual(await rowsOf(d));
    expect(late.metrics('recover-callbacks')).toEqual({ EventsPublished: 0, RowsSkipped: 0 });
    expect(await d.rows('quarantine')).toEqual([]);
    expect((await d.rows('calls')).filter(({ kind }) => kind !== 'agent-entry')).toHaveLength(stored);
    expect(d.metrics()).toEqual({ CallbackRecordsAccepted: stored, EventsPublished: 0, RowsSkipped: 0 });
  });

  it.each<[what: string, sent: Request]>([
    ['data beside such fields', { body: `${likeCall}&${formOf(summary)}` }],
    ['JSON in a form beside such a query', { body: inPayload(keyless), query: `apikey=demo-key&${likeCall}` }],
    ['JSON with its key in a form beside such a query', { body: inPayload(summary), query: likeCall }],
    ['JSON in a form beside such fields', { body: `${likeCall}&${key}&${inPayload(keyless)}` }],
    ['JSON in such a query', { method: 'GET', query: `${likeCall}&${key}&${inPayload(keyless)}`, headers: {} }],
    ['fields beside JSON like a call', { body: `${new URLSearchParams(summary as never)}&x={${likeCallInJson}}` }],
  ])('one call and none of parameters that look like one: %s', async (_what, sent) => {
    const d = await deployment();

    expect(await d.send(sent)).toEqual(counts({ stored: 1 }));
    expect(await d.rows('calls')).toMatchObject([{ callId, status: 'answered' }]);
  });

  it('a summary under its account and id, in the account’s zone, with the time of its receipt', async () => {
    const d = await deployment();
    await d.post(ofOther);

    expect(await d.row(callId)).toMatchObject({
      pk: `other#${callId}`,
      account: 'other',
      revision: 1,
      version: 1,
      firstReceivedAt: d.startedAt,
      startedAt: '2026-11-20T11:00:00.000Z',
      timeZone: 'Europe/London',
      deliveries: [{ receivedAt: d.startedAt }],
    });
  });

  it('a repeat once, though spellings, types and blanks differ, and then a revision', async () => {
    const d = await deployment();
    const { dId, AgentUniqueID, ...rest } = summary;
    await d.post(summary);
    const repeat = { ...rest, DID: dId, AgentUniqueID: String(AgentUniqueID), UUI: 'None', CallerConfAudioFile: null };

    expect(await d.post([repeat, summary])).toEqual(counts({ duplicates: 2 }));
    expect(await d.row(callId)).toMatchObject({ version: 1 });
    expect(await d.post(call().withDisposition('Sale'))).toEqual(counts({ stored: 1 }));
    expect(await d.row(callId)).toMatchObject({ revision: 2, dispositions: ['Sale'] });
    expect(d.metrics()).toMatchObject({ CallbackRecordsAccepted: 4 });
  });

  it('two calls whose ids were rounded to the same number, and a repeat of one of them once', async () => {
    const d = await deployment();
    const rounded = (agent: string, customer: string) =>
      `{"monitorUCID":1.2345678901235e+19,"UserName":"demo","Apikey":"demo-key","Type":"Inbound","Status":"Answered","AgentID":"${agent}","CallerID":"${customer}","StartTime":"2026-11-26 08:00:00","EndTime":"2026-11-26 08:01:00"}`;
    const asha = rounded('asha', '09000000011');
    const ravi = rounded('ravi', '09000000022');

    expect(await d.post(`[${asha},\n ${ravi}]`)).toEqual(counts({ stored: 2 }));
    expect(await d.post(asha)).toEqual(counts({ duplicates: 1 }));
    expect((await d.rows('calls')).map(({ agentIds, notes }) => [agentIds, notes])).toEqual(
      expect.arrayContaining(
        [['asha'], ['ravi']].map((agents) => [
          agents,
          [
            { field: 'callId', reason: 'fallback-identity', asSent: '1.2345678901235e+19' },
            { field: 'callId', reason: 'rounded-id' },
          ],
        ]),
      ),
    );
  });

  it('one call, whatever number a program made of its ids', async () => {
    const d = await deployment();
    const ids = [
      '"41781234567895555"',
      '41781234567895555',
      '41781234567895555.0',
      '4.1781234567895555E16',
      '"4.1781234567895555E16"',
    ];
    const answers: unknown[] = [];
    for (const id of ids)
      answers.push(
        await d.post(
          `[{"monitorUCID":${id},"UCID":${id},"Apikey":"demo-key","Status":"Answered"},{"UCID":${id},"CallID":${id},"ExitStatus":"x"}]`,
        ),
      );

    expect(answers).toEqual([counts({ stored: 2 }), ...Array(4).fill(counts({ duplicates: 2 }))]);
    expect((await d.rows('calls')).map(({ sk }) => sk)).toEqual(['call', expect.stringMatching(/^participant#/)]);
  });

  it('a repeat of what an earlier release read otherwise with one revision, and then as a duplicate', async () => {
    const d = await deployment();
    const text = '{"monitorUCID":"7","Apikey":"demo-key","Status":"NotAnswered","Status":"Answered"}';
    const before = { status: 'answered', timeZone: 'Asia/Kolkata' };
    const delivery = deliveryOf(before, { receivedAt: d.startedAt, asSent: compressText(text) });
    await d.stores().calls.record({ kind: 'call', account: 'demo', callId: '7' }, delivery, AbortSignal.timeout(9_000));

    expect(await d.post(text)).toEqual(counts({ stored: 1 }));
    expect(await d.post(text)).toEqual(counts({ duplicates: 1 }));
    expect(await d.row('7')).toMatchObject({ revision: 2, extra: { Status: 'NotAnswered' } });
  });

  it.each<[string, unknown, RejectionReason, string]>([
    ['a text', 'x', 'not-an-object', '"x"'],
    ['a text with a key', keyed, 'not-an-object', '"a key ***"'],
    ['a number', 42, 'not-an-object', '42'],
    ['null', null, 'not-an-object', 'null'],
    ['a list', [popup], 'not-an-object', 'popup'],
    ['another post of the vendor', { event: 'x' }, 'not-a-call-summary', '{"event":"x"}'],
    ['one of too many fields', tooMany, 'too-many-fields', '"field 1900":"x"'],
    ['a wrapper of nothing', { data: '' }, 'not-a-call-summary', '{"data":""}'],
    ['a wrapper of broken JSON', { data: '{"a":' }, 'not-a-call-summary', '{"data":'],
  ])('the good records of a list, and quarantines %s', async (_what, bad, reason, body) => {
    const d = await deployment();

    expect(await d.post([bad, summary])).toEqual(counts({ stored: 1, quarantined: 1, ...because(reason) }));
    expect(await d.row(callId)).toBeDefined();
    const [entry] = await d.quarantine();
    expect(entry).toMatchObject({
      reason,
      account: 'demo',
      body: expect.stringContaining(body),
      receivedAt: d.startedAt,
    });
    expect(d.metrics()).toMatchObject({
      CallbackRecordsAccepted: 1,
      CallbackRecordsQuarantined: 1,
      CallbacksRejected: 0,
    });
  });

  it('calls beside participants of no call, and gives the first other reason as that of the post', async () => {
    const calls = numbered(2);
    const answer = async (...bad: readonly unknown[]) => (await deployment()).post([...calls, ...bad]);

    expect(await answer(nameless)).toMatchObject({ stored: 2, quarantined: 1, reason: 'participant-without-call' });
    for (const bad of [
      [42, nameless],
      [nameless, 42],
    ])
      expect(await answer(...bad)).toMatchObject({ quarantined: 2, reason: 'not-an-object' });
  });

  it('a note beside data in quarantine', async () => {
    const answer = await (await deployment()).send(json({ data: summary, note: 'x' }));

    expect(answer).toMatchObject({ stored: 1, quarantined: 1, reason: 'not-a-call-summary' });
  });

  it('in quarantine what no row can hold, whole, though nothing compresses it', async () => {
    const d = await deployment();
    const comments = Buffer.from(digits(450_000), 'hex').toString('base64');

    expect(await d.post(call({ Comments: comments }))).toEqual(counts({ quarantined: 1, ...because('not-storable') }));
    const [entry] = await d.quarantine();
    expect(entry).toMatchObject({ reason: 'not-storable', account: 'demo', receivedAt: expect.any(String) });
    expect(JSON.parse(entry?.body ?? '')).toMatchObject({ key: { callId }, text: expect.stringContaining(comments) });
  });

  it.each<[string, string, object]>([
    [
      'the last of two values under one name, and the other beside it',
      '"Status":"NotAnswered"',
      { status: 'answered', extra: { Status: 'NotAnswered' } },
    ],
    ['one value under one name twice', '"Status":"Answered"', { status: 'answered', extra: undefined }],
    ['a value beside a blank', '"Status":"Answered","Disposition":"Sale","Disposition":""', { dispositions: ['Sale'] }],
    [
      'every value under a name that is not documented',
      '"Lead":12345678901234567890,"Lead" : [1.50],"Lead":"a\\":"',
      { extra: { Lead: 'a":', 'Lead (2)': '12345678901234567890', 'Lead (3)': '["1.50"]' } },
    ],
  ])('%s', async (_what, fields, expected) => {
    const d = await deployment();
    const text = `{${fields},"monitorUCID":"7","Apikey":"demo-key","Status":"Answered"}`;

    expect(await d.post(text)).toEqual(counts({ stored: 1 }));
    const row = await d.row('7');
    expect(row).toMatchObject(Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)));
    expect(row?.['extra']).toEqual(Object(expected)['extra']);
    // What was sent says the same, without its key.
    const [{ asSent }] = Object(row).deliveries;
    const again = factsOfText(
      'call',
      { text: decompressText(asSent), source: undefined },
      { timeZone: 'Asia/Kolkata' },
    );
    expect(factsOf(Object(row))).toEqual(JSON.parse(JSON.stringify(again)));
  });
});

type Owner = string | null | undefined;

interface Refused {
  readonly what: string;
  readonly sent: Request;
  readonly status: number;
  readonly reason: RejectionReason;
  /** What is in the quarantined body; nothing is quarantined without it. */
  readonly kept?: string;
  /** The account of the entry. */
  readonly owner?: Owner;
}

/** A post of somebody known by a live key: whatever it is, it is quarantined and acknowledged. */
const known = (what: string, reason: RejectionReason, sent: Request, kept: string, owner: Owner = 'demo'): Refused => ({
  what,
  sent,
  reason,
  kept,
  owner,
  status: 200,
});

/** A post of a stranger: nothing of it is kept. */
const unknown = (what: string, status: number, reason: RejectionReason, sent: Request): Refused => ({
  what,
  sent,
  status,
  reason,
});

const manyKeys = Array.from({ length: 21 }, (_, index) => `a-strangers-key-${index}`);
const utf16 = Buffer.from('{"Apikey":"demo-key","a":', 'utf16le');

/** With the byte-order mark that programs write before it. */
const inUtf16 = (sent: string): Buffer => Buffer.from(`\ufeff${sent}`, 'utf16le');
const percentEncoded = (bytes: Buffer): string => bytes.toString('hex').replaceAll(/../g, '%$&');

const refused: readonly Refused[] = [
  unknown('no body', 400, 'body-empty', {}),
  unknown('a form without data', 400, 'data-missing', { body: 'x=1' }),
  unknown('a form with a field __proto__', 400, 'data-missing', { body: '__proto__=1' }),
  unknown('blank JSON', 400, 'body-empty', json(' \n')),
  unknown('empty data', 400, 'data-empty', { body: 'data=' }),
  unknown('blank data', 400, 'data-empty', { body: 'data=+' }),
  unknown('data twice', 400, 'data-repeated', form('{"a":1}', formOf('{"b":2}'))),
  unknown('data in form and query', 400, 'data-repeated', { ...form('{"a":1}'), query: formOf('{}') }),
  unknown('data in two spellings', 400, 'data-repeated', form('{"a":1}', 'Data={}')),
  unknown('JSON and data in the query', 400, 'data-repeated', { ...json('{"a":1}'), query: formOf('{}') }),
  unknown('broken JSON', 400, 'broken-json', form('{"monitorUCID": "41')),
  unknown('broken JSON beside data', 400, 'broken-json', form(stranger, 'participants=[{')),
  unknown('broken JSON with an unknown key', 400, 'broken-json', form(broken.replace('demo-key', 'odd'))),
  unknown('half of a character in data within data', 400, 'broken-json', form('{"data":"\\ud800"}')),
  unknown('JSON that is a number', 400, 'not-an-object', form('12345678901234567890')),
  unknown('JSON nested 21 deep', 400, 'too-deep', form('['.repeat(21) + ']'.repeat(21))),
  unknown('JSON nested 10,000 deep', 400, 'too-deep', form('['.repeat(10_000) + ']'.repeat(10_000))),
  unknown('a __proto__ key', 400, 'forbidden-key', form('{"__proto__":{"isAdmin":true}}')),
  unknown('a __proto__ key in a replaced field', 400, 'forbidden-key', json('{"data":{"__proto__":1},"data":{}}')),
  unknown('a hidden __proto__ key', 400, 'forbidden-key', form('{"a":[{"\\u005f_proto__":1}]}')),
  unknown('an empty list', 400, 'no-records', form('[]')),
  unknown('another kind of post', 400, 'not-a-call-summary', form(popup)),
  unknown('an id that is an object', 400, 'not-a-call-summary', form({ monitorUCID: odd })),
  unknown('more than 1 MB', 413, 'body-too-large', form({ ...stranger, Comments: long })),
  unknown('a text of more than 1 MB', 413, 'body-too-large', form(`"${'x'.repeat(maxContentBytes)}"`)),
  unknown('more fields than are read', 413, 'too-many-fields', form(stranger, manyFields)),
  unknown('4.5 MB that JSON writes with as many escapes', 413, 'body-too-large', { body: '\\'.repeat(4_499_000) }),
  unknown('a record of too many fields', 413, 'too-many-fields', form(fieldsNamed(maxRecordFields + 1))),
  unknown('a name 40,000 times', 413, 'too-many-fields', form(repeated(keyless))),
  unknown('a record of too many fields with an unknown key', 401, 'unknown-key', form({ ...tooMany, Apikey: 'x' })),
  unknown('more than 500 records', 413, 'too-many-records', form(Array(501).fill({}))),
  unknown('more than 500 records together', 413, 'too-many-records', form(Array(500).fill({}), 'other=[{}]')),
  unknown('more than 500 records in an entry', 413, 'too-many-records', form([{ data: Array(501).fill({}) }])),
  unknown('more than 500 records in a field', 413, 'too-many-records', form({ calls: Array(501).fill({}) })),
  unknown('a wrong content type', 415, 'unsupported-content-type', { body: '<x/>', headers: text }),
  unknown('no key', 401, 'key-missing', form(keyless)),
  unknown('a blank key', 401, 'key-missing', form({ ...summary, Apikey: 'None' })),
  unknown('participants only', 401, 'key-missing', form([participant])),
  unknown('an unknown key', 401, 'unknown-key', form(stranger)),
  unknown('an unknown key and no call', 401, 'unknown-key', form({ event: 'x', Apikey: 'x' })),
  unknown('a key that is an object', 401, 'unknown-key', form({ ...summary, Apikey: odd })),
  unknown('a key beside data that is an object', 401, 'unknown-key', form({ data: {}, Apikey: odd })),
  unknown('more keys than any account has', 401, 'unknown-key', form({ ...stranger, Apikey: manyKeys })),
  unknown('GET with a summary', 401, 'unknown-key', { method: 'GET', query: formOf(stranger), headers: {} }),
  known(
    'GET with no data',
    'body-empty',
    { method: 'GET', query: 'apikey=demo-key&x=1' },
    '{"apikey":["***"],"x":["1"]}',
  ),
  known('a text of another kind', 'broken-json', form('<call><Apikey>demo-key</Apikey></call>'), '<Apikey>***<'),
  known('a live key behind too many keys', 'unknown-key', form([{ ...stranger, Apikey: manyKeys }, summary]), callId),
  known('no data', 'data-missing', { body: key }, '{"Apikey":"***"}'),
  known('blank data in JSON', 'data-empty', { ...json('{"data":" "}'), query: key }, '{"data":" "}'),
  known('data twice', 'data-repeated', form(summary, formOf('{}')), 'Asha Rao'),
  known('data twice beside a key', 'data-repeated', form('{}', `${formOf('{}')}&${key}`), '{'),
  known('broken JSON', 'broken-json', form(broken), callId),
  known('broken JSON in JSON', 'broken-json', json({ Apikey: 'demo-key', data: '{' }), '{'),
  known('broken JSON as JSON', 'broken-json', json(broken), callId),
  known('broken JSON beside a key', 'broken-json', form('{', key), '{'),
  known('50 KB of it', 'broken-json', form(`{"Apikey": "demo-key", "Comments": "${'x'.repeat(50_000)}!`), 'xx!'),
  known('a __proto__ key', 'forbidden-key', form('{"Apikey":"demo-key","__proto__":{}}'), '__proto__'),
  known('a text', 'not-an-object', form('"x"', key), '"x"'),
  known('an empty list', 'no-records', form('[]', key), '[]'),
  known('another kind of post', 'not-a-call-summary', form({ ...popup, Apikey: 'demo-key' }), '"popup"'),
  known('another kind with keys in it', 'not-a-call-summary', form({ ...popup, more: { z: [keyed] } }, key), '***"]'),
  known('JSON that is cut within its key', 'broken-json', form(`{"Apikey":"${sentinelKey}`), '{"Apikey":"***'),
  known('a form that is declared to be JSON', 'broken-json', json(`${key}&data=%7B`), '{'),
  known('a list of other kinds', 'not-a-call-summary', form([{ event: 'x', Apikey: 'demo-key' }, 'x']), 'event'),
  known('participants of no call', 'participant-without-call', form([nameless], key), 'ParticipantNumber'),
  known('more than 500 records', 'too-many-records', form([summary, ...Array(500).fill(0)]), callId),
  known('more than 1 MB', 'body-too-large', form({ ...summary, Comments: `${long}the end` }), 'xthe end"'),
  known('more than 1 MB beside a key', 'body-too-large', form({ ...keyless, Comments: long }, key), long),
  known('a record of too many fields', 'too-many-fields', form(tooMany), '"field 1900":"x"'),
  known('a name 40,000 times', 'too-many-fields', json(repeated(summary)), '"x":"1","x":"1"}'),
  known(
    'a record of too many fields in JSON',
    'too-many-fields',
    json({ body: JSON.stringify(tooMany) }),
    'field 1900',
  ),
  known('a wrapper of too many fields', 'too-many-fields', json(withFields({ data: summary }, 2_001)), callId),
  known('more fields than are read', 'too-many-fields', form(summary, manyFields), '%22Apikey%22%3A%22***%22'),
  known('more fields, one a key', 'too-many-fields', { body: `${manyFields}x=1&${key}` }, 'Apikey=***'),
  known('a wrong content type', 'unsupported-content-type', { body: `<x ${key}/>`, headers: text }, '<x Apikey=***'),
  known(
    'an outcome of no call',
    'call-not-named',
    form({ ...popup, Apikey: 'demo-key', EndTime: '2026-11-20' }),
    'popup',
  ),
  known('a text cut at its “&”', 'broken-json', { body: `data={"Apikey":"demo-key","Comments":"a & b"}` }, ' b\\"'),
  known(
    'broken JSON in UTF-16',
    'broken-json',
    { body: utf16, headers: { 'content-type': 'application/octet-stream' } },
    '{"Apikey":"***","a":',
  ),
  known('a form in UTF-16', 'data-missing', { body: inUtf16(formOf(summary)) }, callId),
  known(
    'a form with a value in UTF-16',
    'broken-json',
    { body: `data=${percentEncoded(inUtf16(JSON.stringify(summary)))}` },
    callId,
  ),
  known('two accounts', 'mixed-accounts', form([summary, ofOther]), callId),
  known('another account’s key beside data', 'mixed-accounts', form(summary, 'Apikey=other-key'), callId, 'other'),
  known('an unknown key after a live one', 'unknown-key', form([summary, stranger]), callId),
  known('an unknown key before a live one', 'unknown-key', form([stranger, summary]), callId),
  known('an unknown user', 'unknown-user', form({ ...summary, UserName: 'nobody' }), '"nobody"'),
  known('an unknown user beside a known one', 'unknown-user', form([summary, { ...summary, UserName: 'x' }]), '"x"'),
  known('another account’s user', 'unknown-user', form({ ...summary, UserName: 'other' }), '"other"'),
  known('a user that is an object', 'unknown-user', form({ ...summary, UserName: [odd] }), '"toString"'),
];

describe('the receiver refuses', () => {
  it.each(refused)(
    '$what as $reason with $status, for the account $owner',
    async ({ sent, status, reason, kept, owner }) => {
      const d = await deployment();
      const quarantined = kept === undefined ? 0 : 1;
      const isOtherKind = reason === 'not-a-call-summary';

      expect(await d.send(sent)).toEqual({ ...counts({ quarantined }), status, ...because(reason) });
      expect(await d.rows('calls')).toEqual([]);
      expect((await d.quarantine()).map(({ account = null, ...entry }) => ({ ...entry, account }))).toEqual(
        kept === undefined
          ? []
          : [
              expect.objectContaining({
                reason,
                account: owner,
                body: expect.stringContaining(kept),
                receivedAt: d.startedAt,
              }),
            ],
      );
      expect(d.parked()).toEqual([]);
      const late = await deployment();
      const parked = kept === undefined ? {} : { parked: quarantined };
      const reply = { ...counts(parked), status, ...because(reason) };
      expect(await late.fail('dynamodb').during(() => late.send(sent))).toEqual(reply);
      expect(late.faults()).toEqual(kept === undefined ? [] : ['quarantine']);
      expect(late.metrics()).toMatchObject({ CallbackRecordsAccepted: quarantined, CallbackRecordsQuarantined: 0 });
      await late.settled();
      expect(await late.quarantine()).toEqual(await d.quarantine());
      const { AccountRejected: _ofAccount, ...counted } = d.metrics();
      expect(counted).toEqual({
        CallbackRecordsAccepted: 0,
        CallbackRecordsQuarantined: isOtherKind ? 0 : quarantined,
        CallbacksRejected: isOtherKind ? 0 : 1,
        CallbacksUnrecognised: isOtherKind ? 1 : 0,
      });
      expect(d.logs()).toMatchObject([
        { level: 'info', message: 'Callback rejected', reason, records: { quarantined } },
      ]);
      expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    },
  );

  it('for every reason below 500 that the table has, apart from these', () => {
    const covered = new Set<string>(refused.map(({ reason }) => reason));
    const missing = Object.entries(rejectionResponses).flatMap(([reason, { status }]) =>
      status < 500 && !covered.has(reason) ? reason : [],
    );

    expect(missing).toEqual(['not-storable', 'not-found', 'method-not-allowed', 'callback-secret-wrong']);
  });
});

describe('at the secret address', () => {
  const secret = 'a-long-callback-secret';
  const of = { secret };
  const deployed = (accounts?: readonly unknown[]) => deployment({ secret, ...(accounts && { accounts }) });

  it.each<[string, object, (readonly unknown[])?]>([
    ['with a key', summary],
    ['without a key, by its user name', keyless],
    ['without a key and a name, for the only account', anonymous, [demoAccount]],
  ])('the receiver stores a summary %s', async (_what, data, accounts) => {
    const d = await deployed(accounts);

    expect(await d.post(data, of)).toEqual(counts({ stored: 1 }));
    expect(await d.row(callId)).toMatchObject({ account: 'demo' });
  });

  const viaSecret = true;

  it.each<[string, unknown, RejectionReason, object]>([
    ['unknown', { ...newKey, Comments: 'is new-key-77' }, 'unknown-key', { viaSecret, keyFingerprints: ['9a5d2ca4'] }],
    ['of another kind with an unknown key', { event: 'popup', apiKey: 'new-key-77' }, 'unknown-key', { viaSecret }],
    [
      'with a live key and an unknown one',
      [summary, newKey],
      'unknown-key',
      { account: 'demo', keyFingerprints: [keyFingerprint('demo-key'), '9a5d2ca4'] },
    ],
    ['without a key of an unknown user', { ...keyless, UserName: 'nobody' }, 'unknown-user', { viaSecret }],
    ['without a key of two users', [keyless, { ...keyless, UserName: 'other' }], 'unknown-user', { viaSecret }],
    ['without a key and a user', { EndTime: '1', CallID: '1' }, 'unknown-user', { viaSecret }],
    ['of two accounts', [summary, ofOther], 'mixed-accounts', { account: 'demo' }],
    ['of too many fields without a key', withFields(keyless, maxRecordFields + 1), 'too-many-fields', { viaSecret }],
    ['of another kind', popup, 'not-a-call-summary', { viaSecret }],
    ['of another kind with a user', '{"UserName":"other","foo":1}', 'not-a-call-summary', { viaSecret }],
    ['that cannot be parsed', '{"UserName":', 'broken-json', { viaSecret }],
    ['above the size limit', { ...keyless, Comments: long }, 'body-too-large', { viaSecret, storedAs: 'gzip' }],
  ])('it quarantines a post %s, and answers 200', async (_what, data, reason, entry) => {
    const d = await deployed();

    expect(await d.post(data, of)).toEqual(counts({ quarantined: 1, ...because(reason) }));
    expect(await d.quarantine()).toMatchObject([{ reason, ...entry }]);
    expect(JSON.stringify(await d.rows('quarantine'))).not.toContain('new-key-77');
    expect(await d.rows('calls')).toEqual([]);
  });

  it('it quarantines a record for the account of the summary beside it, which has no key', async () => {
    const d = await deployed();
    await d.post([keyless, 'x'], of);

    const [entry] = await d.quarantine();
    expect(entry).toMatchObject({ account: 'demo', body: '"x"' });
    expect(entry).not.toHaveProperty('viaSecret');
  });

  it('it quarantines broken content for the only account', async () => {
    const d = await deployed([{ userName: 'sole', apiKeys: ['the-sole-key'], timeZone: 'UTC' }]);
    await d.post('{', of);

    expect(await d.quarantine()).toMatchObject([{ account: 'sole', body: '{' }]);
    expect((await d.quarantine())[0]).not.toHaveProperty('viaSecret');
  });

  it.each<[string, Request]>([
    ['the plain address', {}],
    ['the plain address with slashes', { path: '//callDetails/' }],
    ['a wrong secret', { secret: 'a-wrong-callback-secret' }],
  ])('it refuses a post to %s', async (_what, request) => {
    const d = await deployed();

    expect(await d.post(summary, request)).toMatchObject({ status: 401, reason: 'callback-secret-wrong' });
    expect([await d.rows('calls'), await d.rows('quarantine')]).toEqual([[], []]);
    expect(d.metrics()).toMatchObject({ CallbacksRejected: 1 });
  });

  it('it stores no callback secret that somebody wrote into a comment', async () => {
    const d = await deployed();
    const comment = `our address is https://api.invalid/${secret} or /${secret}/callDetails`;
    await d.post({ ...summary, Comments: comment }, of);

    const row = await d.row(callId);
    expect(row).toMatchObject({ comments: ['our address is https://api.invalid/*** or /***/callDetails'] });
    expect(decompressed(JSON.stringify(row))).not.toContain(secret);
  });
});

describe('rejectionResponses', () => {
  it.each(Object.entries(rejectionResponses))('explain %s in one sentence', (_reason, { status, message }) => {
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect([400, 401, 404, 405, 413, 415, 503]).toContain(status);
  });

  it('have status 503 only where the service itself has a problem', () => {
    const faults = Object.entries(rejectionResponses).filter(([, { status }]) => status === 503);

    const ours = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];
    expect(faults.map(([reason]) => reason)).toEqual(ours);
  });

  it('name the limits', () => {
    expect(rejectionResponses['body-too-large'].message).toContain(String(maxContentBytes));
    for (const most of [maxFields, maxRecordFields])
      expect(rejectionResponses['too-many-fields'].message).toContain(String(most));
  });
});
