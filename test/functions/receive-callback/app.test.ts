import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { specificationSummary as summary } from '../../fixtures/calls.ts';
import { decompressed } from '../../support/call-records.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { formOf } from '../../support/http-api-event.ts';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.stop());

const stored = { status: 200, stored: 1, duplicates: 0, quarantined: 0 };

describe('receive-callback', () => {
  it.each(['/', '//', '/callDetails', '//callDetails/', '/a-secret', '/a-secret/', '//a-secret//callDetails/'])(
    'answers GET and HEAD of %s with 200: the service checks a URL so before it accepts it',
    async (path) => {
      for (const method of ['GET', 'HEAD'])
        expect(await receiver.call({ method, path })).toMatchObject({
          statusCode: 200,
          body: '{"service":"callfeed"}',
        });
    },
  );

  it.each(['/callDetails', '//callDetails', '/callDetails/', '///callDetails//', '/a-secret/callDetails'])(
    'stores a post to %s',
    async (path) => {
      expect(await receiver.answer({ path, body: formOf(summary) })).toEqual(stored);
    },
  );

  it.each([
    ['POST', '/', 404, 'not-found'],
    ['POST', '/a-secret', 404, 'not-found'],
    ['POST', '/calldetails', 404, 'not-found'],
    ['POST', '/callDetails/a', 404, 'not-found'],
    ['POST', '/a/b/callDetails', 404, 'not-found'],
    ['GET', '/a/b', 404, 'not-found'],
    ['PUT', '/callDetails', 405, 'method-not-allowed'],
    ['DELETE', '/', 405, 'method-not-allowed'],
  ])('answers %s %s with %i, and counts no callback', async (method, path, status, reason) => {
    expect(await receiver.answer({ method, path, body: formOf(summary) })).toEqual({
      status,
      stored: 0,
      duplicates: 0,
      quarantined: 0,
      reason,
      message: expect.any(String),
    });
    expect([await receiver.calls(), receiver.log]).toEqual([[], []]);
  });

  it('names the methods that it accepts', async () => {
    expect((await receiver.call({ method: 'PATCH' })).headers).toMatchObject({ allow: 'GET, HEAD, POST' });
  });

  it('stores a summary, then its repeat as a duplicate, then a revision', async () => {
    expect(await receiver.answer({ body: formOf(summary) })).toEqual(stored);
    expect(await receiver.answer({ body: formOf(summary) })).toEqual({ ...stored, stored: 0, duplicates: 1 });
    expect(await receiver.answer({ body: formOf({ ...summary, Disposition: 'Sale' }) })).toEqual(stored);

    expect(await receiver.calls()).toMatchObject([
      { callId: summary.monitorUCID, dispositions: ['Sale'], revision: 2 },
    ]);
  });

  it('stores 20 digits sent as a bare number digit for digit', async () => {
    const json = JSON.stringify(summary).replace('"41781234567890123"', '98765432109876543210');

    await receiver.answer({ body: formOf(json) });

    expect(await receiver.calls()).toMatchObject([{ callId: '98765432109876543210' }]);
  });

  it('stores the summaries and participants of a list', async () => {
    const call = { ...summary, monitorUCID: '700', UCID: 701, CallID: 702 };
    const participant = {
      UCID: 701,
      CallID: 9,
      ParticipantNumber: '09000000077',
      ExitStatus: 'x',
      DialStatus: 'SUCCESS',
    };

    const answer = await receiver.answer({ body: formOf([call, participant, { ...participant, CallID: 10 }]) });

    expect(answer).toEqual({ ...stored, stored: 3 });
    const rows = await receiver.calls();
    expect(rows.map(({ pk, kind }) => [pk, kind]).toSorted()).toEqual([
      ['demo#700', 'call'],
      ['demo#700', 'participant'],
      ['demo#700', 'participant'],
    ]);
  });

  it.each([
    ['header names in upper case', { headers: { 'CONTENT-TYPE': 'application/x-www-form-urlencoded' } }],
    ['a charset', { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' } }],
    [
      'a space before the charset',
      { headers: { 'content-type': 'application/x-www-form-urlencoded ; charset=UTF-8' } },
    ],
    ['a space after the type', { headers: { 'content-type': 'application/x-www-form-urlencoded ' } }],
    ['no content type', { headers: {} }],
  ])('accepts a form with %s', async (_title, request) => {
    expect(await receiver.answer({ body: formOf(summary), ...request })).toEqual(stored);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/json', 'application/vnd.x+json'])(
    'accepts a body of type %s',
    async (type) => {
      const body = JSON.stringify(summary, null, 2).replaceAll('/', '\\/');
      expect(await receiver.answer({ body, headers: { 'content-type': type } })).toEqual(stored);
    },
  );

  it('stores a list of 300 summaries, which has more than 256 KB', async () => {
    const list = Array.from({ length: 300 }, (_, index) => ({ ...summary, monitorUCID: String(index + 1) }));

    expect(await receiver.answer({ body: formOf(list) })).toEqual({ ...stored, stored: 300 });
  });

  it('accepts data in the query, beside a tenant’s code', async () => {
    expect(await receiver.answer({ query: `tenant=42&${formOf(summary)}`, headers: {} })).toEqual(stored);
  });

  it.each(['GET', 'HEAD'])('stores a summary that %s carries in its query', async (method) => {
    expect(await receiver.answer({ method, query: formOf(summary), headers: {} })).toEqual(stored);
  });

  it.each([
    ['a form', (form: string) => ({ body: form })],
    ['a query', (form: string) => ({ method: 'GET', query: form, headers: {} })],
  ])('stores two calls whose texts differ in one byte of another charset, in %s, as two', async (_title, request) => {
    for (const byte of ['%E9', '%E8']) {
      const form = formOf({ ...summary, Comments: 'caf?' }).replace('%3F', byte);
      expect(await receiver.answer(request(form))).toEqual(stored);
    }
  });

  it.each([
    [{ data: summary, Data: { ...summary, monitorUCID: '82' } }, { stored: 2 }],
    [{ data: summary, participants: [{ UCID: '1', ExitStatus: 'x' }] }, { stored: 2 }],
    [
      { data: summary, note: 'x' },
      { stored: 1, quarantined: 1, reason: 'not-a-call-summary' },
    ],
  ])('stores or quarantines what stands beside data, as in %j', async (body, expected) => {
    const request = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

    expect(await receiver.answer(request)).toMatchObject({ status: 200, ...expected });
  });

  it('accepts the key as a form field beside data', async () => {
    const { Apikey, ...rest } = summary;

    expect(await receiver.answer({ body: `${formOf(rest)}&Apikey=${Apikey}` })).toEqual(stored);
  });

  it('parks a callback while the table is down, with the time of its receipt', async () => {
    receiver.down.add('calls');

    const answer = await receiver.answer({ body: formOf(summary) });

    expect(answer).toEqual({ status: 200, stored: 0, duplicates: 0, quarantined: 0, parked: 1 });
    expect(receiver.parked).toMatchObject([{ kind: 'delivery', delivery: { receivedAt: '2026-11-20T06:00:00.000Z' } }]);
  });

  it('stores the good records of a list, and answers 200 with the reason of the first bad one', async () => {
    const call = { ...summary, monitorUCID: '500' };

    expect(await receiver.answer({ body: formOf([call, 42, { event: 'popup' }]) })).toEqual({
      status: 200,
      stored: 1,
      duplicates: 0,
      quarantined: 2,
      reason: 'not-an-object',
      message: 'The JSON must be a call summary object or a list of such objects.',
    });
    expect(await receiver.calls()).toMatchObject([{ callId: '500' }]);
  });

  it('counts a post that it did not understand as rejected, though it answers 200', async () => {
    expect(await receiver.answer({ body: formOf('{"Apikey":"demo-key",') })).toMatchObject({ status: 200 });

    expect(receiver.log.join()).toMatch(/"message":"Callback rejected","reason":"broken-json"/);
    expect(receiver.log.join()).toMatch(/"CallbacksRejected":1.*"CallbackRecordsQuarantined":1/);
  });

  it('writes the metric of a post that it rejects before it answers', async () => {
    await receiver.call({ body: 'x', headers: { 'content-type': 'text/xml' } });

    expect(receiver.log.join()).toContain('"CallbacksRejected":1');
  });

  it('answers 503 when neither table nor queue accepts a callback', async () => {
    receiver.down.add('calls').add('parking');

    expect(await receiver.answer({ body: formOf(summary) })).toMatchObject({
      status: 503,
      reason: 'stores-unavailable',
    });
  });

  it('answers 503 for a list with a record that it could not store, and finds the others as duplicates when it is repeated', async () => {
    await receiver.answer({ body: formOf(summary) });
    receiver.down.add('calls').add('parking');
    const list = formOf([summary, { ...summary, monitorUCID: '8' }]);

    expect(await receiver.answer({ body: list })).toMatchObject({ status: 503 });
    receiver.down.clear();

    expect(await receiver.answer({ body: list })).toEqual({ status: 200, stored: 1, duplicates: 1, quarantined: 0 });
  });
});

describe('receive-callback with a callback secret', () => {
  const secret = 'a-long-callback-secret';
  const { Apikey: _key, ...withoutKey } = summary;

  beforeEach(async () => {
    receiver = await startReceiver({ secret });
  });

  it.each(['/a-wrong-secret/callDetails', '/callDetails', '/'])(
    'answers GET of %s with 200 too: nobody can find the secret so',
    async (path) => {
      expect(await receiver.call({ method: 'GET', path })).toMatchObject({ statusCode: 200 });
    },
  );

  it('accepts a post to the secret address with any number of slashes', async () => {
    expect(await receiver.answer({ path: `//${secret}//callDetails/`, body: formOf(summary) })).toEqual(stored);
  });

  it.each([
    ['the plain address', {}],
    ['the plain address with slashes', { path: '//callDetails/' }],
    ['a wrong secret', { secret: 'a-wrong-callback-secret' }],
  ])('rejects a post to %s', async (_title, request) => {
    const answer = await receiver.answer({ body: formOf(summary), ...request });

    expect(answer).toMatchObject({ status: 401, reason: 'callback-secret-wrong' });
    expect(await receiver.quarantined()).toEqual([]);
  });

  it('accepts a post to the secret address', async () => {
    expect(await receiver.answer({ secret, body: formOf(summary) })).toEqual(stored);
  });

  it('accepts a post without a key to the secret address, by its user name', async () => {
    expect(await receiver.answer({ secret, body: formOf(withoutKey) })).toEqual(stored);
  });

  it.each([
    ['with an unknown key', { ...summary, Apikey: 'new-key-77' }, 'unknown-key'],
    ['without a key of an unknown user', { ...withoutKey, UserName: 'nobody' }, 'unknown-user'],
    [
      'without a key and a user, of which of several accounts nobody knows',
      { EndTime: '1', CallID: '1' },
      'unknown-user',
    ],
    ['of two accounts', [summary, { ...summary, Apikey: 'other-key', UserName: 'other' }], 'mixed-accounts'],
    ['of another kind', { event: 'popup' }, 'not-a-call-summary'],
  ])('quarantines a post %s, and answers 200', async (_title, data, reason) => {
    expect(await receiver.answer({ secret, body: formOf(data) })).toMatchObject({
      status: 200,
      quarantined: 1,
      reason,
    });
    expect(await receiver.quarantined()).toMatchObject([{ reason }]);
  });

  it('stores no callback secret that somebody wrote into a comment', async () => {
    const comment = `our address is https://api.invalid/${secret} or /${secret}/callDetails`;

    expect(await receiver.answer({ secret, body: formOf({ ...summary, Comments: comment }) })).toEqual(stored);
    expect(await receiver.calls()).toMatchObject([
      { comments: ['our address is https://api.invalid/*** or /***/callDetails'] },
    ]);
    expect(decompressed(JSON.stringify(await receiver.calls()))).not.toContain(secret);
  });

  it('counts a post with an unknown key, and stores no key but its fingerprint', async () => {
    await receiver.answer({ secret, body: formOf({ ...summary, Apikey: 'new-key-77', Comments: 'is new-key-77' }) });

    expect(await receiver.quarantined()).toMatchObject([{ viaSecret: true, keyFingerprints: ['9a5d2ca4'] }]);
    expect(JSON.stringify(await receiver.quarantined())).not.toContain('new-key-77');
    expect(receiver.log.join()).toContain('"CallbacksWithUnknownKey":1');
  });
});
