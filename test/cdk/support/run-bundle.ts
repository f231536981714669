import { execFile } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startHttpServer } from '../../support/local-servers.ts';

const runHandler = `
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  const [file, event] = process.argv.slice(1);
  const { handler } = await import(file);
  const answer = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 9000 });
  process.stdout.write(JSON.stringify(answer));
`;

/** Runs the handler of a bundle as on Lambda, with credentials only in its environment, and returns its result. */
export const runBundle = async (folder: string, event: unknown, environment: Readonly<Record<string, string>>) => {
  const file = pathToFileURL(join(folder, 'index.js')).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', runHandler, file, JSON.stringify(event)],
    {
      cwd: folder,
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        ...environment,
      },
    },
  );

  // The lines before the last one are the function's log.
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
};

/** A server that accepts every request and records it. */
export const acceptingServer = async () => {
  const requests: IncomingMessage[] = [];
  const { url } = await startHttpServer((request, response) => {
    requests.push(request.resume());
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
  });

  return { url, requests };
};
