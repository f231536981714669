import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../../../sandbox/http/serve.ts';
import { routed } from '../../../../sandbox/simulator/http/routes.ts';

const echo = async (body: string) => ({ status: 201, body: { body } });
let server: Served;

beforeEach(async () => {
  server = await serve(routed({ 'POST /echo': { reply: echo }, 'POST /more': { reply: echo, mostBytes: 300_000 } }));
});
afterEach(() => server.close());

const post = (path: string, body = '') => fetch(`${server.url}${path}`, { method: 'POST', body });

describe('routed', () => {
  it('answers a route with JSON, whatever its query', async () => {
    const response = await post('/echo?x=1', 'é');

    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ body: 'é' });
  });

  it.each([
    ['GET', '/echo'],
    ['POST', '/nowhere'],
    ['GET', '/'],
    ['POST', '/constructor'],
  ])('answers 404 in JSON to %s %s', async (method, path) => {
    const response = await fetch(`${server.url}${path}`, { method });

    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ status: 'error', message: 'Not found' });
  });

  it('refuses a body that is too long for its route', async () => {
    expect((await post('/echo', 'x'.repeat(200_000))).status).toBe(413);
    expect((await post('/more', 'x'.repeat(200_000))).status).toBe(201);
  });
});
