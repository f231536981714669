import { describe, expect, it, onTestFinished } from 'vitest';
import { postTo } from '../../../torture/posting/post-to.ts';
import { startHttpServer, startTcpServer } from '../../support/local-server.ts';

const wire = { contentType: 'application/json', body: '{"a":1}', query: 'tenant=n' };
const posting = (url: string) => {
  const { post, close } = postTo(url);
  onTestFinished(close);
  return post;
};

describe('postTo', () => {
  it('posts a body as it is and reads the reply', async () => {
    const seen: unknown[] = [];
    const { url } = await startHttpServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push([request.method, request.url, request.headers['content-type'], body]);
      response.writeHead(200).end('{"stored":1,"duplicates":2,"quarantined":0,"parked":3}');
    });

    expect(await posting(url)(wire)).toEqual({ status: 200, stored: 1, duplicates: 2, quarantined: 0, parked: 3 });
    expect(seen).toEqual([['POST', '/callDetails?tenant=n', 'application/json', '{"a":1}']]);
  });

  it('answers undefined where the connection breaks or is refused', async () => {
    const url = await startTcpServer((socket) => socket.destroy());
    expect(await posting(url)(wire)).toBeUndefined();

    expect(await posting('http://127.0.0.1:9')(wire)).toBeUndefined();
  });

  it('tries again once where a connection that was kept open turns out to be closed', async () => {
    let requests = 0;
    const { url } = await startHttpServer((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.resetAndDestroy();
      else response.end('{}');
    });
    const post = posting(url);

    expect([(await post(wire))?.status, (await post(wire))?.status, requests]).toEqual([200, 200, 3]);
  });
});
