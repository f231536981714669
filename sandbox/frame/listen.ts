import { createServer, type Server } from 'node:net';

/** The address that every local endpoint is bound to, so that other machines cannot reach it. */
export const localHost = '127.0.0.1';

/** The port to listen on; 0 picks a free one. `flag` names the setting in error messages. */
export interface Port {
  readonly number: number;
  readonly flag: string;
}

/** Starts listening and resolves with the port. Rejects with an error that names the port and its flag. */
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

/** For a program that cannot choose one. It must be free on all interfaces too, as some systems allow one program on each. */
export const freePort = async (port: Port): Promise<number> => {
  if (port.number !== 0) return await probeEverywhere(port);
  for (let tries = maxTries; tries > 1; tries--) {
    const number = portsBelow.from + Math.floor(Math.random() * portsBelow.count);
    const found = await probeEverywhere({ ...port, number }).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return await probeEverywhere(port);
};

/** Systems hand out higher ports. One of those could be given away before the program listens on it. */
const portsBelow = { from: 20_000, count: 10_000 };
const maxTries = 20;

const probeEverywhere = async (port: Port): Promise<number> => {
  const number = await probe(port, localHost);
  return await probe({ ...port, number }, undefined);
};

const probe = async (port: Port, host: string | undefined): Promise<number> => {
  const server = createServer();
  const number = await listen(server, port, host);
  await new Promise((resolve) => server.close(resolve));
  return number;
};

const explainPort = (cause: Error, { number, flag }: Port): Error => {
  const code = 'code' in cause ? cause.code : undefined;
  const another = `another with ${flag} (0 picks a free one).`;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${number} is in use. Stop what uses it, or choose ${another}`, { cause });
  if (code === 'EACCES') return new Error(`Port ${number} needs more rights. Choose ${another}`, { cause });

  return cause;
};
