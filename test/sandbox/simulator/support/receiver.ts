import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** A real HTTP receiver that keeps what it gets. `statusFor` answers undefined to leave a request without an answer. */
export const startReceiver = async (statusFor: (request: Arrived, index: number) => number | undefined = () => 200) => {
  const arrived: Arrived[] = [];
  const posts = () => arrived.filter(({ method }) => method === 'POST');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      contentType: request.headers['content-type'],
      body,
    };
    arrived.push(one);
    const status = one.method === 'POST' ? statusFor(one, posts().length - 1) : 200;
    if (status !== undefined) response.writeHead(status).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    posts,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
