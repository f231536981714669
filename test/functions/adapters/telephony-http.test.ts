import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { retryAfterSeconds, telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import { startHttpServer } from '../../support/local-servers.ts';

const megabyte = 1024 * 1024;

const post = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  telephonyHttp({ timeoutMs: 30_000 }).post({ url, headers, body: '{"userName":"demo"}' });

/** What becomes of a post that is answered like this. */
const postTo = async (listener: RequestListener) => post((await startHttpServer(listener)).url, { apiKey: 'the-key' });

/** How long the text of an answer is, or the reason why there is none. */
const lengthOf = async (listener: RequestListener) => {
  const answer = await postTo(listener);
  return answer.ok ? answer.value.text.length : answer.problem.reason;
};

const failure = (reason: string) => ({ ok: false, problem: { reason } });
/** Before there was a connection. */
const unsent = (reason: string) => ({ ok: false, problem: { reason, isUnsent: true } });

describe('telephonyHttp', () => {
  it('posts JSON with the headers of the request, and returns the answer', async () => {
    const seen: unknown[] = [];
    const { url } = await startHttpServer(async (request, response) => {
      const { method, headers } = request;
      seen.push([method, request.url, headers['content-type'], headers['apikey'], await text(request)]);
      response.end('{"status":"success"}');
    });

    const answer = await post(`${url}/ca_apis/getAgentLogins`, { apiKey: 'the-key' });

    expect(answer).toEqual({ ok: true, value: { status: 200, text: '{"status":"success"}' } });
    expect(seen).toEqual([['POST', '/ca_apis/getAgentLogins', 'application/json', 'the-key', '{"userName":"demo"}']]);
  });

  it.each([200, 201, 204, 400, 401, 403, 404, 405, 418, 429, 500, 502, 503, 599, 999])(
    'returns status %i as an answer like any other',
    async (status) => {
      const body = status === 204 ? '' : 'no JSON <at> all';

      const answer = await postTo((_request, response) => void response.writeHead(status).end(body));

      expect(answer).toEqual({ ok: true, value: { status, text: body } });
    },
  );

  it('fails as connection if nobody listens', async () => {
    const { url, server } = await startHttpServer(() => undefined);
    server.close();
    await once(server, 'close');

    expect(await post(url)).toEqual(unsent('connection'));
  });

  it('fails as connection if a name has no address', async () => {
    expect(await post('http://no-such-host.invalid/')).toEqual(unsent('connection'));
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'does not follow a redirect with %i, so that the credentials go nowhere else',
    async (status) => {
      const contacted: unknown[] = [];
      const target = await startHttpServer((request, response) => {
        contacted.push(request.headers);
        response.end('{}');
      });
      const redirect: RequestListener = (_request, response) =>
        void response.writeHead(status, { location: target.url }).end('gone');

      expect(await postTo(redirect)).toEqual(failure('redirect'));
      expect(contacted).toEqual([]);
    },
  );

  it('accepts an answer of 16 MB, and rejects a larger one without reading the rest', async () => {
    const answering =
      (megabytes: number): RequestListener =>
      (_request, response) =>
        void response.end('x'.repeat(megabytes * megabyte));
    let written = 0;
    const endless: RequestListener = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(megabyte))) written++;
      };
      response.on('drain', more);
      more();
    };

    expect(await lengthOf(answering(16))).toBe(16 * megabyte);
    expect(await lengthOf(answering(20))).toBe('too-large');
    expect(await lengthOf(endless)).toBe('too-large');
    expect(written).toBeLessThan(100);
  });

  it('decodes a character that arrives in two chunks', async () => {
    const [first, second] = [Buffer.from('é€').subarray(0, 3), Buffer.from('é€').subarray(3)];
    const answer = await postTo((_request, response) => {
      response.write(first);
      setTimeout(() => response.end(second), 20);
    });

    expect(answer).toMatchObject({ ok: true, value: { text: 'é€' } });
  });

  it.each([
    ['a key with a line break', 'https://service.invalid', 'key\r\nx-admin: 1'],
    ['a key beyond Latin letters', 'https://service.invalid', 'ключ'],
    ['a key with a zero byte', 'https://service.invalid', 'key\0'],
    ['an address without a scheme', 'service.invalid', 'key'],
    ['an address of no host', 'http://', 'key'],
    ['an address of another kind', 'data:application/json,{}', 'key'],
    ['a file', 'file:///etc/hostname', 'key'],
    ['credentials in the address', 'https://user:password@service.invalid', 'key'],
  ])('sends nothing for %s', async (_title, url, apiKey) => {
    expect(await post(url, { apiKey })).toEqual(unsent('unsendable'));
  });

  it('returns the seconds of Retry-After', async () => {
    const answer = await postTo((_request, response) => void response.writeHead(429, { 'retry-after': '120' }).end());

    expect(answer).toEqual({ ok: true, value: { status: 429, text: '', retryAfterSeconds: 120 } });
  });

  it('reuses the connection for the next poll, as long as the service permits', async () => {
    let connections = 0;
    const { url, server } = await startHttpServer((_request, response) => void response.end('{}'));
    server.keepAliveTimeout = 60_000;
    server.on('connection', () => connections++);
    const service = telephonyHttp({ timeoutMs: 5_000 });

    for (let poll = 0; poll < 3; poll++) {
      await service.post({ url, headers: {}, body: '{}' });
      await pause(20);
    }

    expect(connections).toBe(1);
  });
});

describe('telephonyHttp, of the call report', () => {
  it('sends a GET with a body, and returns any answer', async () => {
    const seen: unknown[] = [];
    const { url } = await startHttpServer(async (request, response) => {
      const { method, headers } = request;
      seen.push([method, request.url, headers['content-type'], headers['apikey'], await text(request)]);
      response.writeHead(405, { 'Retry-After': '7' }).end('{"é":1}');
    });
    const request = {
      headers: { apiKey: 'the-key' },
      body: '{"userName":"demo é"}',
      url: `${url}/ca_reports/x?pageNo=1`,
    };

    expect(await telephonyHttp({ timeoutMs: 30_000 }).get(request)).toEqual({
      ok: true,
      value: { status: 405, text: '{"é":1}', retryAfterSeconds: 7 },
    });
    expect(seen).toEqual([['GET', '/ca_reports/x?pageNo=1', 'application/json', 'the-key', request.body]]);
  });
});

const date = 'Fri, 20 Nov 2026 06:00:00 GMT';

describe('retryAfterSeconds', () => {
  it.each([
    ['seconds', '120', 120],
    ['no seconds', '0', 0],
    ['a date, by the sender’s clock', 'Fri, 20 Nov 2026 06:01:30 GMT', 90],
    ['a date in the past', 'Fri, 20 Nov 2026 05:00:00 GMT', 0],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['a word', 'soon', undefined],
    ['a year', '2027', 2027],
    ['an invalid date', 'Fri, 99 Nov 2026 06:01:30 GMT', undefined],
    ['nothing', '', undefined],
  ])('parses %s', (_title, header, seconds) => {
    expect(retryAfterSeconds({ 'retry-after': header, date })).toBe(seconds);
  });

  it('does not parse a date without a Date header', () => {
    expect(retryAfterSeconds({ 'retry-after': 'Fri, 20 Nov 2026 06:01:30 GMT' })).toBeUndefined();
  });

  it('is undefined without the header', () => {
    expect(retryAfterSeconds({ date })).toBeUndefined();
  });
});
