import { createServer } from 'node:http';
import { listen, localHost } from '../../sandbox/http/listen.ts';

/** What the tests of a run share, whatever process they are in; it is started when the first of them asks. */
export interface Launcher {
  readonly url: string;
  close(): void;
}

/** Answers GET with what `start` resolves with, or with the reason why it could not. */
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

/** What the launcher at an address starts. Rejects with the reason when it could not be started. */
export const requestLaunch = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);

  return text;
};
