import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { forwardTimeouts, postForm } from '../../../functions/forward-deliveries/post-form.ts';
import { startHttpServer, startTcpServer } from '../../support/local-servers.ts';

const receiver = async (answer: RequestListener) => `${(await startHttpServer(answer)).url}/callDetails`;

/** Long enough for a busy machine. */
const patient = { connectMs: 30_000, wholeMs: 30_000 };
const post = postForm(patient);

describe('a post', () => {
  it('is a form to the whole address with its query, with the body as it is', async () => {
    const seen: unknown[] = [];
    const address = await receiver(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, type: headers['content-type'], body: await text(request) });
      response.end('thanks');
    });

    expect(await post(`${address}?code=acme`, 'data=%7B%7D')).toBeUndefined();
    expect(seen).toEqual([
      { method: 'POST', url: '/callDetails?code=acme', type: 'application/x-www-form-urlencoded', body: 'data=%7B%7D' },
    ]);
  });

  it.each([
    [200, undefined],
    [204, undefined],
    [304, 'redirect'],
    [404, 'status 404'],
    [500, 'status 500'],
  ])('with the answer %i ends with %s', async (status, problem) => {
    const address = await receiver((_request, response) => void response.writeHead(status).end());

    expect(await post(address, 'data=')).toBe(problem);
  });

  it('does not follow a redirect', async () => {
    const paths: unknown[] = [];
    const address = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });

    expect(await post(address, 'data=')).toBe('redirect');
    expect(paths).toEqual(['/callDetails']);
  });

  it('waits for the whole answer, and forgets it', async () => {
    let isWritten = false;
    const address = await receiver((_request, response) => {
      response.write('a'.repeat(1_000_000));
      setImmediate(() => {
        isWritten = true;
        response.end('end');
      });
    });

    expect(await post(address, 'data=')).toBeUndefined();
    expect(isWritten).toBe(true);
  });

  it('ends in time where nothing answers, or the answer never ends', async () => {
    const hanging = await receiver(() => undefined);
    const endless = await receiver((_request, response) => void response.writeHead(200).write('a'));
    const impatient = postForm({ ...patient, wholeMs: 200 });

    expect(await impatient(hanging, 'data=')).toBe('timeout');
    expect(await impatient(endless, 'data=')).toBe('timeout');
  });

  it('ends sooner where no connection comes about', async () => {
    // It accepts the connection and says nothing, so TLS never begins.
    const silent = (await startTcpServer(() => undefined)).replace('http:', 'https:');

    expect(await postForm({ ...patient, connectMs: 200 })(`${silent}/callDetails`, 'data=')).toBe('timeout');
  });

  it.each(['nobody', 'hangs up', 'breaks off', 'another protocol'])('fails where the receiver is: %s', async (what) => {
    const { url, server } = await startHttpServer((request, response) => {
      if (what === 'hangs up') request.socket.destroy();
      else if (what === 'another protocol')
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
      else {
        response.writeHead(200, { 'content-length': 10 }).write('a');
        setImmediate(() => request.socket.destroy());
      }
    });
    if (what === 'nobody') await once(server.close(), 'close');

    expect(await post(`${url}/callDetails`, 'data=')).toBe('connection');
  });
});

it('a deployed post may take two seconds to connect and ten in all', () => {
  expect(forwardTimeouts).toEqual({ connectMs: 2_000, wholeMs: 10_000 });
});
