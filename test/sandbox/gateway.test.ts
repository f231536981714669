import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Respond, type Served, startServer, writeAnswer } from '../../sandbox/frame/serve.ts';
import { callFunction } from '../../sandbox/gateway.ts';

let gateway: Served;
let events: APIGatewayProxyEventV2[];
let returned: () => unknown;

beforeEach(async () => {
  events = [];
  returned = () => ({ statusCode: 200, body: 'ok' });
  const invoke = async (event: APIGatewayProxyEventV2) => {
    events.push(event);
    return await returned();
  };
  const respond: Respond = async (request, response) => writeAnswer(response, await callFunction(request, invoke));
  gateway = await startServer({ number: 0, flag: '--port' }, respond, 30_000);
});
afterEach(() => gateway.close());

const send = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the event of a request', () => {
  it('is that of an HTTP API, payload format 2.0', async () => {
    const headers = { ...form, 'X-Trace': 'one', 'user-agent': 'telephony', cookie: 'a=1; b=2' };
    await send('/s%20cret/callDetails?code=a&code=b&empty=', { method: 'POST', body: 'data=%7B%7D', headers });

    const http = { method: 'POST', path: '/s cret/callDetails', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' };
    expect(events).toMatchObject([
      {
        version: '2.0',
        routeKey: '$default',
        rawPath: http.path,
        rawQueryString: 'code=a&code=b&empty=',
        queryStringParameters: { code: 'a,b', empty: '' },
        cookies: ['a=1', 'b=2'],
        headers: { ...form, 'x-trace': 'one', 'user-agent': 'telephony', 'content-length': '11' },
        body: Buffer.from('data=%7B%7D').toString('base64'),
        isBase64Encoded: true,
        requestContext: {
          routeKey: '$default',
          stage: '$default',
          requestId: expect.any(String),
          timeEpoch: expect.any(Number),
          time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
          http: { ...http, userAgent: 'telephony' },
        },
      },
    ]);
    expect(events[0]?.headers).not.toHaveProperty('cookie');
    const { time = '', timeEpoch = 0 } = events[0]?.requestContext ?? {};
    // To the second, where the other is to the millisecond.
    expect(Date.parse(time.replace(':', ' '))).toBe(timeEpoch - (timeEpoch % 1_000));
  });

  it.each([
    ['GET', '/', '/'],
    ['POST', '//callDetails/', '//callDetails/'],
    ['POST', '/a%2Fb%C3%A9', '/a/bé'],
    ['DELETE', '/100%25/%zz', '/100%25/%zz'],
  ])('contains the path of %s %s, decoded but for percent signs', async (method, path, rawPath) => {
    await send(path, { method });

    expect(events).toMatchObject([{ routeKey: '$default', rawPath, requestContext: { http: { method } } }]);
    expect(events[0]).not.toHaveProperty('pathParameters');
  });

  const texts = ['text/plain', 'application/json; charset=utf-8', 'application/xml', 'application/javascript'];
  it.each(texts)('contains a body of type %s as text', async (type) => {
    await send('/callDetails', { method: 'POST', body: '{"name":"Zoë"}', headers: { 'content-type': type } });

    expect(events[0]).toMatchObject({ body: '{"name":"Zoë"}', isBase64Encoded: false });
  });

  it('contains binary bodies byte for byte', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    await send('/callDetails', { method: 'POST', body, headers: { 'content-type': 'application/octet-stream' } });

    expect(Buffer.from(events[0]?.body ?? '', 'base64')).toEqual(Buffer.from(body));
  });
});

describe('the answer to a request', () => {
  it('is what the function returns', async () => {
    const headers = { 'Content-Type': 'application/json', 'x-count': 3 };
    returned = () => ({ statusCode: 202, headers, body: '{"stored":1}' });
    const answer = await send('/callDetails', { method: 'POST' });

    expect([answer.status, await answer.json()]).toEqual([202, { stored: 1 }]);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-count')).toBe('3');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('a secret'))],
    ['returns an invalid status', () => ({ statusCode: 'fine' })],
  ])('is a 500 without details when the function %s', async (_what, outcome) => {
    returned = outcome;
    const answer = await send('/');

    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });

  it('is 413 for a body of more than 10 MB', async () => {
    const answer = await send('/callDetails', { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) });

    expect([answer.status, await answer.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
    expect(events).toEqual([]);
  });

  it.each([
    ['a form of more than 4.5 MB, which is base64 in the event', form, 4_720_000],
    ['JSON of more than 6 MB', { 'content-type': 'application/json' }, 6_300_000],
  ])('is 413 for %s, as Lambda accepts no such event', async (_what, headers, bytes) => {
    const post = (length: number) => send('/callDetails', { method: 'POST', headers, body: 'x'.repeat(length) });

    expect((await post(bytes)).status).toBe(413);
    expect(events).toEqual([]);
    expect((await post(bytes - 100_000)).status).toBe(200);
  });

  it('is still sent when the gateway closes meanwhile', async () => {
    const work = Promise.withResolvers<unknown>();
    returned = () => work.promise;
    const answer = send('/');
    await expect.poll(() => events).toHaveLength(1);
    const closing = gateway.close();
    work.resolve({ statusCode: 200, body: 'done' });

    expect(await (await answer).text()).toBe('done');
    await closing;
  });
});
