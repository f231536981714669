import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '../closers.ts';
import { startServer } from '../http/serve.ts';
import { recordingsBucket } from '../local-aws.ts';
import { openObjects } from './object-store.ts';
import { s3Endpoint } from './s3-endpoint.ts';

/** Starts an S3 with the bucket of recordings, in a folder. Without one its objects are gone when the sandbox stops. */
export const startS3 = async (folder: string | undefined, closers: Closers): Promise<{ readonly url: string }> => {
  const path = folder ?? mkdtempSync(join(tmpdir(), 'callfeed-recordings-'));
  if (folder === undefined) closers.add(() => rmSync(path, { recursive: true, force: true }));

  const served = await startServer({ number: 0, flag: 'port' }, s3Endpoint(recordingsBucket, openObjects(path)));
  closers.add(served.close);
  return { url: served.url };
};
