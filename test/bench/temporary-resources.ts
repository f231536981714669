import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';

/** Does something with a folder that is gone afterwards, and with this process at the latest. */
export const withTemporaryFolder = async <Result>(act: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await act(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};

/** Does something with a DynamoDB Local of its own, at an address, which ends with it. */
export const withDynamodb = async <Result>(act: (endpoint: string) => Promise<Result>): Promise<Result> => {
  const { endpoint, stop } = await startDynamodb({ port: 0 });
  try {
    return await act(endpoint);
  } finally {
    await stop();
  }
};
