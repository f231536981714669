import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen, type SimulatorServer } from '../../../../sandbox/simulator/http/server.ts';
import type { Fault } from '../../../../sandbox/simulator/http/service-fault.ts';

const routes = {
  'POST /ca_apis/echo': async (body: string) => ({ status: 200, body: { body } }),
  'POST /_simulator/calls': async () => ({ status: 200, body: 'sent' }),
  'GET /broken': async () => {
    throw new Error('a fault of the route');
  },
};
let fault: Fault = 'none';
let server: SimulatorServer;

beforeEach(async () => {
  fault = 'none';
  server = await listen(0, routes, () => fault);
});
afterEach(() => server.close());

const post = (path: string, body = '') => fetch(`${server.url}${path}`, { method: 'POST', body });

describe('listen', () => {
  it('answers a route with JSON, whatever its query', async () => {
    const response = await post('/ca_apis/echo?x=1', 'é');

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ body: 'é' });
  });

  it.each([
    ['GET', '/ca_apis/echo'],
    ['POST', '/nowhere'],
    ['GET', '/'],
    ['POST', '/constructor'],
  ])('answers 404 in JSON to %s %s', async (method, path) => {
    const response = await fetch(`${server.url}${path}`, { method });

    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ status: 'error', message: 'Not found' });
  });

  it('refuses a body that is far too large', async () => {
    expect((await post('/_simulator/calls', 'x'.repeat(200_000))).status).toBe(413);
  });

  it('cuts the connection where a route fails, and goes on', async () => {
    await expect(fetch(`${server.url}/broken`)).rejects.toThrow();
    expect((await post('/_simulator/calls')).status).toBe(200);
  });

  it.each([
    ['throttle', 429, 'Max limit exceeded'],
    ['error', 500, 'Internal error'],
  ] as const)(
    'under the fault %s answers %i to the operations of the service, never to its control',
    async (mode, status, message) => {
      fault = mode;

      const response = await post('/ca_apis/echo');
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ status: 'error', message });
      expect((await post('/_simulator/calls')).status).toBe(200);
    },
  );

  it('under the fault timeout answers nothing', async () => {
    fault = 'timeout';

    const silent = fetch(`${server.url}/ca_apis/echo`, { method: 'POST', signal: AbortSignal.timeout(100) });
    await expect(silent).rejects.toThrow(/aborted/i);
  });

  it('rejects where the port is taken', async () => {
    await expect(listen(Number(new URL(server.url).port), routes, () => 'none')).rejects.toThrow('EADDRINUSE');
  });
});
