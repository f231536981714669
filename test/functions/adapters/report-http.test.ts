import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { reportHttp } from '../../../functions/adapters/report-http.ts';
import { startHttpServer } from '../../support/local-servers.ts';

const request = { headers: { apiKey: 'the-key' }, body: '{"userName":"demo é"}' };

const ask = async (listener: RequestListener, settings: Partial<Parameters<typeof reportHttp>[0]> = {}) => {
  const { url } = await startHttpServer(listener);
  return reportHttp({ timeoutMs: 30_000, ...settings }).get({ ...request, url: `${url}/ca_reports/x?pageNo=1` });
};

describe('reportHttp', () => {
  it('sends a GET with a body, and returns any answer', async () => {
    const seen: unknown[] = [];
    const answer = await ask(async (received, response) => {
      const { method, url, headers } = received;
      seen.push([method, url, headers['content-type'], headers['apikey'], await text(received)]);
      response.writeHead(405, { 'Retry-After': '7' }).end('{"é":1}');
    });

    expect(answer).toEqual({ ok: true, value: { status: 405, text: '{"é":1}', retryAfterSeconds: 7 } });
    expect(seen).toEqual([['GET', '/ca_reports/x?pageNo=1', 'application/json', 'the-key', request.body]]);
  });

  it.each<[string, RequestListener, Partial<Parameters<typeof reportHttp>[0]>, string]>([
    ['a redirect', (_request, response) => void response.writeHead(302, { Location: '/' }).end(), {}, 'redirect'],
    [
      'an endless answer',
      (_request, response) => void response.write('x'.repeat(2_000)),
      { maxBytes: 1_000 },
      'too-large',
    ],
    ['no answer', () => undefined, { timeoutMs: 50 }, 'timeout'],
    ['an answer that stops', (_request, response) => void response.write('{'), { timeoutMs: 200 }, 'timeout'],
    ['a broken connection', ({ socket }) => void socket.destroy(), {}, 'connection'],
    [
      'an answer that breaks off',
      (_request, response) => void response.write('{', () => response.destroy()),
      {},
      'connection',
    ],
  ])('fails at %s, with a reason and no error', async (_what, listener, settings, reason) => {
    expect(await ask(listener, settings)).toEqual({ ok: false, problem: { reason } });
  });

  it.each(['ftp://service.example/', 'no address', 'http://a b/'])('cannot send to %s', async (url) => {
    expect(await reportHttp({ timeoutMs: 1_000 }).get({ ...request, url })).toMatchObject({
      problem: { reason: 'unsendable' },
    });
  });

  it('fails as connection if nobody listens', async () => {
    const { url, server } = await startHttpServer(() => undefined);
    server.close();
    await once(server, 'close');

    expect(await reportHttp({ timeoutMs: 5_000 }).get({ ...request, url })).toMatchObject({
      problem: { reason: 'connection' },
    });
  });
});
