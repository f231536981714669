import type { ServerResponse } from 'node:http';
import type { EventLog } from './event-log.ts';

/** Writes every event so far, one a line. With `until`, each new one follows, until it aborts or the client leaves. */
export const sendEvents = (log: EventLog, response: ServerResponse, until?: AbortSignal): void => {
  const write = (line: string): boolean => response.write(`${line}\n`);

  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  for (const line of log.lines()) write(line);
  if (until === undefined || until.aborted) {
    response.end();
    return;
  }
  const end = (): void => {
    response.end();
  };
  const leave = log.follow(write);
  until.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    leave();
    until.removeEventListener('abort', end);
  });
};
