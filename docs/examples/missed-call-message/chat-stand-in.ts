import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * Stands in for the chat, and for the Secrets Manager that has its address. `onMessage` gets each text, and returns the
 * status that the chat answers. The secret has the chat's address, or the given one.
 */
export const startChat = async (onMessage: (text: string) => number | Promise<number>, secret?: string) => {
  const server = createServer(async (request, response) => {
    const body = await json(request);
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
      response.end(JSON.stringify({ SecretString: secret ?? `${url}/a-secret-address` }));
    else response.writeHead(await onMessage((body as { readonly text: string }).text)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return { url, close: () => server.close() };
};
