import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, parseForm } from '../../../functions/receive-callback/http.ts';
import { bodyOf } from '../../../lib/callback/quarantine.ts';
import { maxFields } from '../../../lib/callback/rejections.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { formOf, httpApiEvent, type Request } from '../../support/http-api-event.ts';

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(() => receiver.stop());

const summary = specificationSummary;
/** Of which `String` makes an error. */
const odd = { toString: 'x' };
const nested = '['.repeat(10_000) + ']'.repeat(10_000);
const { Apikey: _key, ...withoutKey } = summary;
const stranger = { ...summary, Apikey: 'strangers-key' };
const long = 'x'.repeat(2_000_000);
const manyFields = 'x=1&'.repeat(maxFields);
const text = { 'content-type': 'text/plain' };
const manyKeys = Array.from({ length: 21 }, (_, index) => `a-strangers-key-${index}`);

/** Each kind of bad input: what is sent, the status and reason of the answer, and what is found in quarantine. */
const cases: readonly [title: string, request: Request, status: number, reason: string, kept?: string][] = [
  ['a form without data', { body: 'x=1' }, 400, 'data-missing', '{"x":"1"}'],
  ['a form with a field __proto__', { body: '__proto__=1' }, 400, 'data-missing', '{"__proto__":"1"}'],
  ['data twice', { body: `${formOf('{"a":1}')}&${formOf('{"b":2}')}` }, 400, 'data-repeated', '"{\\"a\\":1}"'],
  ['empty data', { body: 'data=' }, 400, 'data-empty', '{"data":""}'],
  ['no body', {}, 400, 'body-empty', '{}'],
  ['broken JSON', { body: formOf('{"monitorUCID": "41') }, 400, 'broken-json', '{"monitorUCID": "41'],
  ['JSON that is a number', { body: formOf('12345678901234567890') }, 400, 'not-an-object', '12345678901234567890'],
  ['JSON nested 10,000 deep', { body: formOf(nested) }, 400, 'too-deep', '[[[[['],
  ['a __proto__ key', { body: formOf('{"__proto__":{"isAdmin":true}}') }, 400, 'forbidden-key', '{"__proto__"'],
  ['a hidden __proto__ key', { body: formOf('{"a":[{"\\u005f_proto__":1}]}') }, 400, 'forbidden-key', 'u005f_proto__'],
  [
    'a post that is no call summary',
    { body: formOf({ event: 'popup', ucid: '7' }) },
    400,
    'not-a-call-summary',
    'popup',
  ],
  ['2 MB of a stranger', { body: formOf({ ...stranger, Comments: long }) }, 413, 'body-too-large'],
  [
    '2 MB with a live key',
    { body: formOf({ ...summary, Comments: `${long}the end` }) },
    200,
    'body-too-large',
    'xthe end"',
  ],
  [
    'a stranger’s form of more fields than the parser reads',
    { body: `${manyFields}${formOf(stranger)}` },
    413,
    'too-many-fields',
  ],
  [
    'such a form with a live key',
    { body: `${manyFields}${formOf(summary)}` },
    200,
    'too-many-fields',
    '%22Apikey%22%3A%22***%22',
  ],
  [
    'half of a character, escaped in data within data',
    { body: formOf('{"data":"\\ud800"}') },
    400,
    'broken-json',
    '\\ud800',
  ],
  ['a wrong content type', { body: 'x', headers: text }, 415, 'unsupported-content-type'],
  [
    'a wrong content type with a live key',
    { body: JSON.stringify(summary), headers: text },
    200,
    'unsupported-content-type',
    '"41781234567890123"',
  ],
  ['no key', { body: formOf(withoutKey) }, 401, 'key-missing'],
  ['a key that is an object with a toString', { body: formOf({ ...summary, Apikey: odd }) }, 401, 'unknown-key'],
  ['such a key beside data', { body: formOf({ data: {}, Apikey: odd }) }, 401, 'unknown-key'],
  [
    'a list that holds such an object for a user',
    { body: formOf({ ...summary, UserName: [odd] }) },
    200,
    'unknown-user',
    '"toString"',
  ],
  [
    'an id without a call that is such an object',
    { body: formOf({ monitorUCID: odd }) },
    400,
    'not-a-call-summary',
    'toString',
  ],
  ['an unknown user', { body: formOf({ ...summary, UserName: 'nobody' }) }, 200, 'unknown-user', '"nobody"'],
  [
    'more than 500 records',
    { body: formOf([summary, ...Array(500).fill(0)]) },
    200,
    'too-many-records',
    '"41781234567890123"',
  ],
  [
    'several accounts',
    { body: formOf([summary, { ...summary, Apikey: 'other-key' }]) },
    200,
    'mixed-accounts',
    '"41781234567890123"',
  ],
  [
    'another kind of post with a live key',
    { body: formOf({ event: 'popup', Apikey: 'demo-key' }) },
    200,
    'not-a-call-summary',
    '"popup"',
  ],
  [
    'a summary in a list in a list, with a live key',
    { body: formOf([[summary]]) },
    200,
    'not-an-object',
    '"41781234567890123"',
  ],
  [
    'a summary under a name, with a live key',
    { body: formOf({ callDetails: summary }) },
    200,
    'not-a-call-summary',
    '"Asha Rao"',
  ],
  [
    'a summary as JSON in JSON, with a live key',
    { body: formOf(JSON.stringify(JSON.stringify(summary))) },
    200,
    'not-an-object',
    'Asha Rao',
  ],
  ['more than 500 records of a stranger', { body: formOf(Array(501).fill({})) }, 413, 'too-many-records'],
  ['more keys than any account has', { body: formOf({ ...stranger, Apikey: manyKeys }) }, 401, 'unknown-key'],
  ['GET with a stranger’s summary', { method: 'GET', query: formOf(stranger), headers: {} }, 401, 'unknown-key'],
  [
    'GET with a live key and no data',
    { method: 'GET', query: 'apikey=demo-key&x=1', headers: {} },
    200,
    'body-empty',
    '{"apikey":["***"],"x":["1"]}',
  ],
  [
    'GET with a summary under another name than data',
    { method: 'GET', query: formOf(summary).replace('data', 'payload'), headers: {} },
    200,
    'body-empty',
    '41781234567890123',
  ],
  [
    'a live key in a text of another kind',
    { body: formOf('<call><Apikey>demo-key</Apikey></call>') },
    200,
    'broken-json',
    '<Apikey>***<',
  ],
  [
    'a live key behind more keys than a post may have',
    { body: formOf([{ ...stranger, Apikey: manyKeys }, summary]) },
    200,
    'unknown-key',
    '"41781234567890123"',
  ],
  [
    'broken JSON in UTF-16 with a live key',
    {
      body: Buffer.from('{"Apikey":"demo-key","a":', 'utf16le'),
      headers: { 'content-type': 'application/octet-stream' },
    },
    200,
    'unsupported-content-type',
    '{"Apikey":"***","a":',
  ],
  ['no data, with a live key', { body: 'Apikey=demo-key' }, 200, 'data-missing', '{"Apikey":"***"}'],
];

const counts = { stored: 0, duplicates: 0, quarantined: expect.any(Number) };

describe('receive-callback', () => {
  it.each(cases)(
    'answers %s with its status and reason, and stores no call',
    async (_title, request, status, reason, kept) => {
      const entries = async () => (await receiver.quarantined()).filter((row) => row['reason'] === reason);
      const before = await entries();
      const answer = await receiver.answer(request);

      expect(answer).toEqual({ status, ...counts, reason, message: expect.stringMatching(/\w+.*\.$/) });
      expect(await receiver.calls()).toEqual([]);
      const after = await entries();
      expect([answer.quarantined, after.length - before.length]).toEqual(kept === undefined ? [0, 0] : [1, 1]);
      const bodies = after.map((row) => bodyOf(row as QuarantineEntry)).join('\n');
      if (kept !== undefined) expect(bodies).toContain(kept);
    },
  );

  it('quarantines a broken post of an account whole, under its name and without its key', async () => {
    const body = `{"Apikey": "demo-key", "Comments": "${'x'.repeat(50_000)}`;

    expect(await receiver.answer({ body: formOf(body) })).toMatchObject({
      status: 200,
      reason: 'broken-json',
      quarantined: 1,
    });

    const kept = (await receiver.quarantined()).find(
      (row) => row['account'] === 'demo' && row['reason'] === 'broken-json',
    );
    expect(kept?.['body']).toBe(body.replace('demo-key', '***'));
  });

  it('changes no prototype', () => {
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });
});

describe('contentOf', () => {
  /** What the receiver gets of a body. */
  const contentIn = (request: Request) => {
    const event = httpApiEvent(request);
    parseForm().before?.({ event } as never);
    return contentOf(event);
  };
  const formIn = (charset: string) => ({ 'content-type': `application/x-www-form-urlencoded; charset=${charset}` });
  const jsonIn = (charset: string) => ({ 'content-type': `application/vnd.x+json; charset=${charset}` });
  const fields = (count: number) => Array(count).fill('x=1').join('&');

  it.each([
    ['a form', { body: 'data=a%20b&data=c&x=1' }, { form: { data: ['a b', 'c'], x: '1' } }],
    ['a body without a type', { body: 'data=1', headers: {} }, { form: { data: '1' } }],
    ['no body', {}, { form: {} }],
    ['JSON', { body: '{"a":"é"}', headers: { 'content-type': 'application/json' } }, { json: '{"a":"é"}' }],
    ['JSON in base64', { body: '{}', headers: { 'content-type': 'application/vnd.x+json' } }, { json: '{}' }],
    ['a form of as many fields as are read', { body: fields(maxFields) }, { form: { x: Array(maxFields).fill('1') } }],
    [
      'a form of one field more',
      { body: fields(maxFields + 1) },
      { unread: fields(maxFields + 1), reason: 'too-many-fields' },
    ],
    [
      'a form in a declared charset',
      { body: 'data=caf%E9+%80', headers: formIn('iso-8859-1') },
      { form: { data: 'café €' } },
    ],
    [
      'a form of two bytes a character',
      { body: 'data=%83%5C', headers: formIn('"shift_jis"') },
      { form: { data: 'ソ' } },
    ],
    [
      'a form with bytes that its charset lacks',
      { body: 'data=%E9+%FF&x=%83%5C', headers: formIn('shift_jis') },
      { form: { data: 'é ÿ', x: 'ソ' } },
    ],
    [
      'a form in a charset in single quotes',
      { body: 'data=%83%5C', headers: formIn("'shift_jis'") },
      { form: { data: 'ソ' } },
    ],
    [
      'a form of percent-encoded UTF-16',
      { body: 'data=%7B%00%22%00%e9%00', headers: formIn('utf-16') },
      { form: { data: '{"é' } },
    ],
    ['a form with a zero byte', { body: 'data=%00{"a":1}', headers: formIn('utf-8') }, { form: { data: '\0{"a":1}' } }],
    [
      'a form in a charset that nobody knows',
      { body: 'data=%C3%A9', headers: formIn('x-odd') },
      { form: { data: 'é' } },
    ],
    [
      'a form with bytes that are no UTF-8',
      { body: 'data=%E0%A4%B9%E0%A4+%E9', headers: formIn('utf-8') },
      { form: { data: 'हà¤ é' } },
    ],
    [
      'a form that is only declared to be UTF-16',
      { body: 'data=%C3%A9', headers: formIn('utf-16') },
      { form: { data: 'é' } },
    ],
    [
      'a form in UTF-16',
      { body: Buffer.from('data=%C3%A9', 'utf16le'), headers: formIn('utf-16') },
      { form: { data: 'é' } },
    ],
    [
      'JSON in another charset',
      { body: Buffer.from('{"a":"\xe9"}', 'latin1'), headers: jsonIn('latin1') },
      { json: '{"a":"é"}' },
    ],
    [
      'JSON in UTF-16',
      { body: Buffer.from('\ufeff{"a":"é"}', 'utf16le'), headers: jsonIn('utf-8') },
      { json: '{"a":"é"}' },
    ],
    [
      'JSON in UTF-16, the high bytes first',
      { body: Buffer.from('\ufeff{"a":"é"}', 'utf16le').swap16(), headers: jsonIn('utf-8') },
      { json: '{"a":"é"}' },
    ],
    ['JSON in UTF-16 as text', { body: '{\0}\0', headers: { 'content-type': 'application/json' } }, { json: '{}' }],
    ['another type without a body', { headers: { 'content-type': 'text/xml' } }, { json: '' }],
    [
      'another type',
      { body: '<é/>', headers: { 'content-type': 'application/octet-stream' } },
      { unread: '<é/>', reason: 'unsupported-content-type' },
    ],
  ])('is that of %s', (_title, request, content) => {
    expect(contentIn(request)).toEqual(content);
  });
});
