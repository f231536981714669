import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket, type Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Handle, type Served, serve } from '../../sandbox/http/serve.ts';
import { localClient } from '../../sandbox/local-aws.ts';

const urlOf = async (server: TcpServer): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** An HTTP server with its address. It closes after the running test. */
export const startHttpServer = async (listener: RequestListener): Promise<{ readonly url: string; server: Server }> => {
  const server = createHttpServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await urlOf(server), server };
};

/** The address of a TCP server that answers with any bytes or none. It closes after the running test. */
export const startTcpServer = async (onRequest: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => onRequest(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return urlOf(server);
};

/** Serves a local AWS endpoint. `client` has settings for an AWS client that does not retry. */
export const serveForTest = async (
  handle: Handle,
): Promise<Served & { readonly client: ReturnType<typeof localClient> & { readonly maxAttempts: 1 } }> => {
  const served = await serve(handle);

  return { ...served, client: { ...localClient(served.url), maxAttempts: 1 } };
};

/** Whether a program on this machine listens on a port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
