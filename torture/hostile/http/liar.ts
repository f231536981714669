import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fork, type Random } from '../../../sandbox/simulator/random.ts';
import { lies } from './lies.ts';

/** A server that answers as its address says: `/3` is the third of the lies, counted from 0. */
export interface Liar {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const numberAskedFor = (request: Buffer): number => {
  const [, number] = /^POST \/(\d+)/.exec(request.toString('latin1')) ?? [];
  return Number(number);
};

/** Starts a server of lies on a free port of this machine. */
export const startLiar = async (random: Random): Promise<Liar> => {
  // Each lie draws for itself, as nobody knows in which order they are asked for.
  const told = lies.map(({ tell }) => ({ tell, random: fork(random) }));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Who hangs up on a lie has every right to.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (request) => {
      const lie = told[numberAskedFor(request)];
      lie?.tell(socket, lie.random);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port, it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
