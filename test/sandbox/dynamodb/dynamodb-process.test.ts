import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startDynamodb } from '../../../sandbox/dynamodb/dynamodb-process.ts';

// That it ends with whoever started it is tested with the whole sandbox, in main.test.ts.
describe('startDynamodb', () => {
  it('names the port and the flag when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const starting = startDynamodb({ port });

    await expect(starting).rejects.toThrow(
      `Port ${port} is in use. Stop what uses it, or choose another with --dynamodb-port`,
    );
    server.close();
  });

  it('names a data folder that cannot be had', async () => {
    await expect(startDynamodb({ port: 0, dataFolder: '/dev/null/data' })).rejects.toThrow('/dev/null/data');
  });
});
