import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRequest } from '../../../functions/receive-callback/http.ts';
import { maxBodyBytes, maxFields } from '../../../lib/callback/rejections.ts';
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
  ['300 KB of JSON', { body: formOf({ ...summary, Comments: 'x'.repeat(300_000) }) }, 413, 'body-too-large'],
  [
    'more fields than the parser of forms reads',
    { body: `${'x=1&'.repeat(1_000)}${formOf(summary)}` },
    413,
    'too-many-fields',
  ],
  [
    'half of a character, escaped in data within data',
    { body: formOf('{"data":"\\ud800"}') },
    400,
    'broken-json',
    '\ufffd',
  ],
  ['a wrong content type', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported-content-type'],
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
  ['no data, with a live key', { body: 'Apikey=demo-key' }, 200, 'data-missing', '{"Apikey":"***"}'],
];

const counts = { stored: 0, duplicates: 0, quarantined: expect.any(Number) };

describe('receive-callback', () => {
  it.each(cases)(
    'answers %s with its status and reason, and stores no call',
    async (_title, request, status, reason, kept) => {
      const answer = await receiver.answer(request);

      expect(answer).toEqual({ status, ...counts, reason, message: expect.stringMatching(/\w+.*\.$/) });
      expect(await receiver.calls()).toEqual([]);
      const found = (await receiver.quarantined()).filter((row) => row['reason'] === reason);
      expect(answer.quarantined).toBe(kept === undefined ? 0 : 1);
      if (kept === undefined) expect(found).toEqual([]);
      else expect(found.map(({ body }) => body).join('\n')).toContain(kept);
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

describe('checkRequest', () => {
  /** Why a post is rejected before its body is parsed, if it is. */
  const rejectionOf = (body: string, type: string) => {
    const reasons: string[] = [];
    const { before } = checkRequest({ secretSha256: undefined, onRejected: ({ reason }) => reasons.push(reason) });
    before?.({ event: httpApiEvent({ body, headers: { 'content-type': type } }) } as never);
    return reasons[0];
  };

  it.each([
    ['a body of the limit, sent as text', 'é'.repeat(maxBodyBytes / 2), 'application/json', undefined],
    ['a byte more, sent as text', `${'é'.repeat(maxBodyBytes / 2)}x`, 'application/json', 'body-too-large'],
    ['a body of the limit, sent in base64', 'x'.repeat(maxBodyBytes), 'application/x-www-form-urlencoded', undefined],
    ['three bytes more', 'x'.repeat(maxBodyBytes + 3), 'application/x-www-form-urlencoded', 'body-too-large'],
    ['a form of as many fields as allowed', Array(maxFields).fill('x=1').join('&'), '', undefined],
    [
      'a form of one field more',
      Array(maxFields + 1)
        .fill('x=1')
        .join('&'),
      '',
      'too-many-fields',
    ],
  ])('decides on %s', (_title, body, type, reason) => {
    expect(rejectionOf(body, type)).toBe(reason);
  });
});
