import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf, notFound, type Reply, type Routes, routeOf } from './routes.ts';
import { type Fault, faultReplies, isOperation } from './service-fault.ts';

/** A listening server. */
export interface SimulatorServer {
  readonly url: string;
  /** Cuts every connection and resolves when nothing listens any more. */
  readonly close: () => Promise<void>;
}

/** Listens on 127.0.0.1; port 0 picks a free one. Rejects where the port is taken. */
export const listen = async (port: number, routes: Routes, fault: () => Fault): Promise<SimulatorServer> => {
  const server = createServer((request, response) => {
    // Whoever went away needs no answer.
    answer(request, response, routes, fault).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
  fault: () => Fault,
): Promise<void> => {
  const name = routeOf(request);
  const current = isOperation(name) ? fault() : 'none';
  const body = await bodyOf(request);
  if (body === undefined) return reply(response, { status: 413, body: { status: 'error', message: 'Body too large' } });

  const faulty = current === 'none' ? undefined : faultReplies[current];
  if (faulty === 'silence') return;
  if (faulty) return reply(response, faulty);

  const route = new Map(Object.entries(routes)).get(name);
  reply(response, route ? await route(body) : notFound);
};

const reply = (response: ServerResponse, { status, body }: Reply): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
};

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new TypeError('The simulator listens on no port');
  return address.port;
};
