import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Closers } from '../../sandbox/closers.ts';
import { runToEnd } from '../process/run-to-end.ts';
import type { Tell } from '../runner/steps.ts';
import { region, rootKey } from './clients.ts';

/** The repository, in which the CDK finds its app. */
export const root = join(import.meta.dirname, '../..');

/** Runs the CDK's command line; rejects with the end of what it printed unless it succeeds. */
export type Cdk = (tell: Tell, folder: string, args: readonly string[]) => Promise<void>;

/** The CDK's command line against an emulated AWS. What it writes beside its output goes into `home`. */
export const cdkAt = async (endpoint: string, home: string, closers: Closers): Promise<Cdk> => {
  await mkdir(home);
  const bin = join(root, 'node_modules/.bin');

  return (tell, folder, args) =>
    runToEnd(
      {
        command: join(bin, 'cdk'),
        args: [...args, '--no-notices'],
        folder,
        environment: {
          PATH: `${dirname(process.execPath)}:${bin}:/usr/bin:/bin`,
          HOME: home,
          TMPDIR: home,
          NO_COLOR: '1',
          CDK_DISABLE_CLI_TELEMETRY: 'true',
          CDK_DISABLE_VERSION_CHECK: 'true',
          AWS_ENDPOINT_URL: endpoint,
          AWS_REGION: region,
          AWS_ACCESS_KEY_ID: rootKey.accessKeyId,
          AWS_SECRET_ACCESS_KEY: rootKey.secretAccessKey,
        },
        onLine: tell,
      },
      closers,
    );
};
