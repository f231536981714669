import { createServer } from 'node:http';
import { listen, localHost } from '../../sandbox/http/listen.ts';

/** Starts something that all processes of a test run share, at the first request. */
export interface Launcher {
  readonly url: string;
  close(): void;
}

/** Answers GET with the result of `start`, or with the reason why it failed. */
export const startLauncher = async (start: () => Promise<string>): Promise<Launcher> => {
  let started: Promise<string> | undefined;
  const server = createServer((_request, response) => {
    started ??= start();
    started.then(
      (answer) => response.end(answer),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  const port = await listen(server, { number: 0, flag: 'globalSetup' });

  return { url: `http://${localHost}:${port}`, close: () => server.close() };
};

/** The result of the launcher at an address. Rejects with the reason if its start failed. */
export const requestLaunch = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);

  return text;
};
