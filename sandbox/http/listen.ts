import { createServer, type Server } from 'node:net';

/** The address every local endpoint is bound to: nothing of the sandbox is reachable from other machines. */
export const localHost = '127.0.0.1';

/** Which port to listen on; 0 asks the system for a free one. `flag` names the setting in a message about it. */
export interface Port {
  readonly number: number;
  readonly flag: string;
}

const inUse = ({ number, flag }: Port): string =>
  `Port ${number} is in use. Stop what uses it, or choose another with ${flag} (0 picks a free one).`;

const notAllowed = ({ number, flag }: Port): string =>
  `Port ${number} may not be used without more rights. Choose another with ${flag} (0 picks a free one).`;

/** What to tell the user of a port that cannot be had; any other error stays as it is. */
const explainPort = (cause: Error, port: Port): Error => {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return new Error(inUse(port), { cause });
  if (code === 'EACCES') return new Error(notAllowed(port), { cause });

  return cause;
};

/** Starts listening and resolves with the port in use; rejects with an Error whose message names port and flag. */
export const listen = (server: Server, port: Port, host: string | undefined = localHost): Promise<number> =>
  new Promise((resolve, reject) => {
    const failed = (cause: Error): void => reject(explainPort(cause, port));
    server.once('error', failed);
    server.listen({ port: port.number, host }, () => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port.number);
    });
  });

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
