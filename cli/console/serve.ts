import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from '../connection/connect.ts';
import { Problem } from '../problem.ts';
import { type ConsoleHandler, consoleHandler, type HandlerSettings } from './handler.ts';

export interface ServedConsole {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A token that nobody guesses: 144 bits. */
export const newToken = (): string => randomBytes(18).toString('base64url');

/** Serves a console on this machine only. Port 0 picks a free one. */
export const serveConsole = async (settings: HandlerSettings, port: number): Promise<ServedConsole> => {
  const handle = consoleHandler(settings);
  const closing = new AbortController();
  const server = createServer(async (request, response) => {
    try {
      if (!(await handle(request, response, closing.signal))) response.writeHead(404).end();
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, port)));
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  const number = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${number}/${settings.token === undefined ? '' : `${settings.token}/`}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const portProblem = (error: Error, port: number): Error =>
  'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
    ? new Problem(`Port ${port} cannot be used. Choose another with --port; 0 picks a free one.`)
    : error;

/** The console of a sandbox, for the sandbox itself: personal fields are hidden, as for every console. */
export const sandboxConsole = async (endpoint: string): Promise<ConsoleHandler> => {
  const location = { stack: '', endpoint };
  return consoleHandler({
    deployment: await connect(location),
    location,
    isPersonal: false,
    clock: () => new Date(),
  });
};
