import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { untilReady } from '../../../sandbox/dynamodb/until-ready.ts';
import { freePort } from '../../../sandbox/http/free-port.ts';

describe('untilReady', () => {
  it('shows what was printed when the program ends instead of answering', async () => {
    const port = await freePort({ number: 0, flag: '--dynamodb-port' });
    const failing = `process.stderr.write('the disk is full'); process.exitCode = 1;`;
    const child = spawn(process.execPath, ['-e', failing], { stdio: ['pipe', 'pipe', 'pipe'] });

    await expect(untilReady(`http://127.0.0.1:${port}`, child)).rejects.toThrow(
      'DynamoDB Local ended before it answered. It printed:\nthe disk is full',
    );
  });
});
