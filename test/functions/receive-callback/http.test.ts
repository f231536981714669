import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { sqsParking } from '../../../functions/receive-callback/app.ts';
import { contentOf } from '../../../functions/receive-callback/decode-body.ts';
import { decodeBody } from '../../../functions/receive-callback/http.ts';
import { maxFields } from '../../../lib/callback/reply.ts';
import { parkedIn, type StorableItem } from '../../../lib/callback/schema.ts';
import { call, deployment } from '../../deployment/index.ts';
import { httpApiEvent, type Request } from '../../support/local-servers.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';
import { scriptedClient } from '../../support/watched-clients.ts';

describe('the receiver', () => {
  it.each<[path: string, secret?: string]>([
    ...['/', '//', '/callDetails', '//callDetails/', '/a-secret', '/a-secret/', '//a-secret//callDetails/'].map(
      (path): [string] => [path],
    ),
    // Nobody can find the secret so.
    ...['/a-wrong-secret/callDetails', '/callDetails', '/'].map((path): [string, string] => [path, 'a-long-secret-77']),
  ])('answers GET and HEAD of %s with 200: the service checks a URL so before it accepts it', async (path, secret) => {
    const d = await deployment(secret === undefined ? {} : { secret });
    for (const method of ['GET', 'HEAD'])
      expect(await d.send({ method, path })).toEqual({ status: 200, service: 'callfeed' });
    expect(d.logs()).toEqual([]);
  });

  it.each(['ucid={ucid}&status={status}', 'did=1&disposition=x', 'monitorUCID=1&Status=Answered'])(
    'answers GET and HEAD with 200 if fields of a call are parameters of the URL: %s',
    async (query) => {
      const d = await deployment();
      for (const method of ['GET', 'HEAD'])
        expect(await d.send({ method, query })).toEqual({ status: 200, service: 'callfeed' });
      expect([d.logs(), d.metrics()]).toEqual([[], {}]);
    },
  );

  it.each<[path: string, secret?: string]>([
    ...['/callDetails', '//callDetails', '/callDetails/', '///callDetails//', '/a-secret/callDetails'].map(
      (path): [string] => [path],
    ),
    ['//a-long-secret-77//callDetails/', 'a-long-secret-77'],
  ])('stores a post to %s', async (path, secret) => {
    const d = await deployment(secret === undefined ? {} : { secret });

    expect(await d.post(call(), { path })).toMatchObject({ status: 200, stored: 1 });
  });

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
    const d = await deployment();

    expect(await d.post(call(), { method, path })).toEqual({
      status,
      reason,
      stored: 0,
      duplicates: 0,
      quarantined: 0,
      message: expect.any(String),
    });
    expect([await d.rows('calls'), d.logs(), d.metrics()]).toEqual([[], [], {}]);
  });

  it('names the methods that it accepts, as JSON that nobody may store', async () => {
    const d = await deployment();
    const { answer } = Object(await d.startAnother().receive(httpApiEvent({ method: 'PATCH' })));

    expect(answer.headers).toEqual({
      allow: 'GET, HEAD, POST',
      'cache-control': 'no-store',
      'content-type': 'application/json',
    });
  });
});

describe('contentOf', () => {
  /** What the receiver gets of a body. */
  const contentIn = (request: Request) => {
    const event = httpApiEvent(request);
    decodeBody().before?.({ event } as never);
    return contentOf(event);
  };
  const formIn = (charset: string) => ({ 'content-type': `application/x-www-form-urlencoded; charset=${charset}` });
  const jsonIn = (charset: string) => ({ 'content-type': `application/vnd.x+json; charset = ${charset}` });
  const asText = { 'content-type': 'application/json; charset=latin1' };
  const asPlainText = { 'content-type': 'text/plain' };
  const latin1 = formIn('latin1');
  const fields = (count: number) => Array(count).fill('x=1').join('&');

  it.each([
    ['a form', { body: 'data=a%20b&data=c&x=1' }, { form: { data: ['a b', 'c'], x: '1' } }],
    ['a body without a type', { body: 'data=1', headers: {} }, { form: { data: '1' } }],
    ['no body', {}, { form: {} }],
    ['JSON', { body: '{"a":"é"}', headers: { 'content-type': 'application/json' } }, { json: '{"a":"é"}' }],
    ['JSON as text, whatever charset it names', { body: '{"a":"é"}', headers: asText }, { json: '{"a":"é"}' }],
    ['no JSON, of a JSON type', { body: 'odd', headers: jsonIn('utf-8') }, { json: 'odd' }],
    ['JSON in base64', { body: '{}', headers: { 'content-type': 'application/vnd.x+json' } }, { json: '{}' }],
    ['a form of as many fields as are read', { body: fields(maxFields) }, { form: { x: Array(maxFields).fill('1') } }],
    ['one field more', { body: fields(maxFields + 1) }, { unread: fields(maxFields + 1), reason: 'too-many-fields' }],
    ['a declared charset', { body: 'data=caf%E9+%80', headers: formIn('iso-8859-1') }, { form: { data: 'café €' } }],
    [
      'marks in a declared charset',
      { body: 'data=%26%3D%2B%25%32%36=%E9', headers: latin1 },
      { form: { data: '&=+%26=é' } },
    ],
    ['marks beside a letter that nobody encoded', { body: 'data=é%26=+%2B%%3d' }, { form: { data: 'é&= +%=' } }],
    [
      'a name in a declared charset',
      { body: 'gr%FC%3D%DFe=a=b&x', headers: latin1 },
      { form: { 'grü=ße': 'a=b', x: '' } },
    ],
    [
      'a field without a value',
      { body: '%7B%22a%22%3A%22%E9%3D%22%7D', headers: latin1 },
      { form: { '{"a":"é="}': '' } },
    ],
    [
      'brackets behind bytes that are no text',
      { body: Buffer.from('\xe9[=1', 'latin1') },
      { form: { '\ufffd[': '1' } },
    ],
    ['JSON behind wide blanks', { body: '\u3000\n{"a":"+%41&"}' }, { json: '\u3000\n{"a":"+%41&"}' }],
    [
      'too many fields in a declared charset',
      { body: `${fields(maxFields)}&%E9`, headers: latin1 },
      { unread: `${fields(maxFields)}&%E9`, reason: 'too-many-fields' },
    ],
    ['a form of another type', { body: 'data=a+%2B&x=+', headers: asPlainText }, { form: { data: ['a +'], x: [' '] } }],
    [
      'too many fields of another type',
      { body: fields(maxFields + 1), headers: asPlainText },
      { unread: fields(maxFields + 1), reason: 'unsupported-content-type' },
    ],
    ['two bytes a character', { body: 'data=%83%5C', headers: formIn('"shift_jis"') }, { form: { data: 'ソ' } }],
    [
      'a form with bytes that its charset lacks',
      { body: 'data=%E9+%FF&x=%83%5C', headers: formIn('shift_jis') },
      { form: { data: '\ufffd \ufffd', x: 'ソ' } },
    ],
    ['a charset in single quotes', { body: 'data=%83%5C', headers: formIn("'shift_jis'") }, { form: { data: 'ソ' } }],
    ['encoded UTF-16', { body: 'data=%7B%00%22%00%e9%00', headers: formIn('utf-16') }, { form: { data: '{"\ufffd' } }],
    ['a form of zero bytes', { body: 'data=%00%00%00', headers: formIn('utf-8') }, { form: { data: '' } }],
    ['a form with zero bytes', { body: 'data=%00{\0"a":1}', headers: formIn('utf-8') }, { form: { data: '{"a":1}' } }],
    ['letters that nobody encoded', { body: 'data=Zoë', headers: { 'content-type': ' ' } }, { form: { data: 'Zoë' } }],
    ['a form with a stray percent sign', { body: 'data=Zoë%20100% — sûr' }, { form: { data: 'Zoë 100% — sûr' } }],
    ['a form that only says it is UTF-16', { body: 'data=%C3%A9', headers: formIn('utf-16') }, { form: { data: 'é' } }],
    ['a form in an unknown charset', { body: 'data=%C3%A9', headers: formIn('x-odd') }, { form: { data: 'é' } }],
    [
      'a form with bytes that are no UTF-8',
      { body: 'data=%E0%A4%B9%E0%A4+%E9', headers: formIn('utf-8') },
      { form: { data: 'ह\ufffd \ufffd' } },
    ],
    ['latin1', { body: Buffer.from('{"a":"\xe9"}', 'latin1'), headers: jsonIn('latin1') }, { json: '{"a":"é"}' }],
    ['UTF-16', { body: Buffer.from('\ufeff{"a":"é"}', 'utf16le'), headers: jsonIn('utf-16') }, { json: '{"a":"é"}' }],
    ['JSON that only says it is UTF-16', { body: '{"a":"é"}', headers: jsonIn('utf-16') }, { json: '{"a":"é"}' }],
    ['silent UTF-16', { body: Buffer.from('{"a":"b"}', 'utf16le'), headers: jsonIn('utf-8') }, { json: '{"a":"b"}' }],
    [
      'JSON in UTF-16 as text, behind two byte-order marks',
      { body: '\ufffd\ufffd\ufffd\ufffd{\0}\0', headers: { 'content-type': 'application/json' } },
      { json: '{}' },
    ],
    ['JSON in UTF-16 as text, of a form’s type', { body: Buffer.from('\ufeff{}', 'utf16le') }, { json: '{}' }],
    ['JSON in UTF-16 as text', { body: '{\0}\0', headers: { 'content-type': 'application/json' } }, { json: '{}' }],
    [
      'JSON with bytes that are no UTF-8',
      { body: Buffer.from('{"a":"\xe9"}', 'latin1'), headers: jsonIn('utf-8') },
      { json: '{"a":"\ufffd"}' },
    ],
    ['another type without a body', { headers: { 'content-type': 'text/xml' } }, { json: '' }],
    [
      'another type',
      { body: '<é/>', headers: { 'content-type': 'multipart/mixed; type=application/json' } },
      { unread: '<é/>', reason: 'unsupported-content-type' },
    ],
  ])('is that of %s', (_title, request, content) => {
    expect(contentIn(request)).toEqual(content);
  });
});

const parked = (fields: object = {}): StorableItem => ({ kind: 'delivery', ...keyedDelivery(summaryWith(fields)) });

const parkingOf = (client: Pick<SQSClient, 'send'>) => {
  const { park } = sqsParking(() => client, 'https://queue.invalid/parking');
  return { park: (items: readonly StorableItem[], withinMs = 10_000) => park(items, withinMs) };
};

const bodiesOf = (input: unknown) =>
  (input as { Entries: { MessageBody: string }[] }).Entries.map(({ MessageBody }) => MessageBody);

describe('sqsParking', () => {
  it('escapes the two characters that JSON permits and SQS rejects', async () => {
    const { client, sent } = scriptedClient<SQSClient>(() => ({}));
    const item = parked({ Comments: 'a\uFFFFb\uFFFEc' });

    await parkingOf(client).park([item]);

    const [body = ''] = sent.flatMap(({ input }) => bodiesOf(input));
    expect(body).not.toMatch(/[\uFFFE\uFFFF]/);
    expect(parkedIn(body)).toEqual(item);
  });

  it('sends at most ten messages and a megabyte a call, counted in UTF-8', async () => {
    const { client, sent } = scriptedClient<SQSClient>(() => ({}));
    const small = Array.from({ length: 25 }, (_, index) => parked({ monitorUCID: String(index) }));
    const large = Array.from({ length: 5 }, (_, index) =>
      parked({ monitorUCID: `9${index}`, Comments: '字'.repeat(80_000 * (1 + (index % 2))) }),
    );

    await parkingOf(client).park([...small, ...large]);

    const calls = sent.map(({ input }) => bodiesOf(input));
    expect(calls.flat()).toHaveLength(30);
    for (const bodies of calls) {
      expect(bodies.length).toBeLessThanOrEqual(10);
      expect(Buffer.byteLength(bodies.join(''))).toBeLessThanOrEqual(1_048_576);
    }
  });

  it('sends 16 calls at a time, all within one limit', async () => {
    const running = new Set<number>();
    const limits = new Set<unknown>();
    let calls = 0;
    let most = 0;
    const send = async (_command: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) => {
      const call = calls++;
      limits.add(abortSignal);
      most = Math.max(most, running.add(call).size);
      await new Promise(setImmediate);
      running.delete(call);
      return {};
    };
    const items = Array.from({ length: 500 }, (_, id) => parked({ monitorUCID: `${id}` }));
    await parkingOf({ send } as never).park(items);

    expect([calls, most, limits.size]).toEqual([50, 16, 1]);
  });

  it('throws when the time that it is given is over, whatever the queue does', async () => {
    const send = (_command: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) =>
      new Promise((_resolve, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason)));

    await expect(parkingOf({ send } as never).park([parked()], 20)).rejects.toThrow('timeout');
  });

  it('throws when the queue rejects a single message of a call that succeeds', async () => {
    const { client } = scriptedClient<SQSClient>(() => ({ Successful: [{ Id: '0' }], Failed: [{ Id: '1' }] }));

    await expect(parkingOf(client).park([parked(), parked()])).rejects.toThrow('rejected 1 of 2 messages');
  });
});
