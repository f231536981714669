import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer, type Socket, type Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';

const urlOf = async (server: TcpServer): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** An HTTP server for the running test, with its address. */
export const startHttpServer = async (listener: RequestListener): Promise<{ readonly url: string; server: Server }> => {
  const server = createHttpServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await urlOf(server), server };
};

/** The address of a server for the running test that answers with whatever bytes, or none. */
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
