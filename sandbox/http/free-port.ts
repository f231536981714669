import { createServer } from 'node:net';
import { listen, localHost, type Port } from './listen.ts';

const probe = async (port: Port, host: string | undefined): Promise<number> => {
  const server = createServer();
  const number = await listen(server, port, host);
  await new Promise((resolve) => server.close(resolve));
  return number;
};

/**
 * A port for a program that cannot choose one itself. Both the local address and all interfaces are tried, as some
 * systems let a program listen on one while another holds the other. Rejects with a message naming port and flag.
 */
export const freePort = async (wanted: Port): Promise<number> => {
  const number = await probe(wanted, localHost);
  return await probe({ ...wanted, number }, undefined);
};
