import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Closers } from '../../../sandbox/closers.ts';
import { root, runToEnd } from '../../support/process-tree.ts';
import { blocksOf } from '../../support/repository-files.ts';
import { baseContext, type Deployment, environmentAt, outputsIn, stackName } from './deployment.ts';
import { recordingHost } from './test-context.ts';

/** The commands of the README that deploy from a folder with the package, and the upgrading page’s last one. */
const [install, init, cdkDeploy] =
  blocksOf('README.md')
    .map(({ commands }) => commands.map(({ text }) => text))
    .find(([, second]) => second?.startsWith('npx callfeed init')) ?? [];
const version = blocksOf('docs/upgrading.md')
  .flatMap(({ commands }) => commands)
  .find(({ text }) => text.includes('--version'))?.text;

/** A folder that somebody deploys from, with nothing but the packed package and what it brings along. */
export interface PackageFolder {
  /** `npx cdk deploy`, as the README says. */
  readonly deploy: () => Promise<Deployment>;
  /** What a command of the command line prints, of the deployment. */
  readonly callfeed: (command: string) => Promise<string>;
  /** `npx callfeed --version`, as the page on upgrading says. */
  readonly version: () => Promise<string>;
}

/** What npm needs to reach the registry from this machine: its user's settings, the machine's, and certificates of a proxy. */
const ofThisMachine = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['HOME', 'npm_config_globalconfig', 'NODE_EXTRA_CA_CERTS'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/**
 * Makes the folder as the README says, with the settings of every version here in
 * its `callfeed.json`, as the page on upgrading says of a move from a checkout.
 */
export const folderWithPackage = async (folder: string, endpoint: string, closers: Closers): Promise<PackageFolder> => {
  if (install === undefined || init === undefined || cdkDeploy === undefined || version === undefined)
    throw new Error('The pages do not deploy');
  const made = join(folder, 'deployed-from');
  await mkdir(made);
  // npm is where whoever runs the tests has it, and so is what it has downloaded. Nothing of the checkout is on the path.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.startsWith(root));
  const environment = {
    ...environmentAt(endpoint, path.join(delimiter)),
    ...ofThisMachine(),
    TMPDIR: folder,
    npm_config_prefer_offline: 'true',
  };
  const run = (command: string, folder = made) =>
    runToEnd({ command: 'bash', args: ['-ec', command], folder, environment }, closers);
  const printed = async (command: string): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', command], {
      cwd: made,
      env: { ...environment },
    });
    return `${stdout}${stderr}`;
  };

  // A copy is packed, as the build replaces what another test may pack at this moment.
  const copy = join(folder, 'checkout');
  const left = ['.git', 'coverage', 'dist', 'node_modules'].map((name) => join(root, name));
  await cp(root, copy, { recursive: true, filter: (file) => !left.includes(file) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await run(`npm pack --pack-destination ${made}`, copy);
  await run(install);
  await run(init);
  const { settingsFile: _, leaveOut, ...settings } = baseContext;
  const recordings = { recordings: 'archive', recordingHosts: [recordingHost] };
  const written = { ...settings, ...recordings, leaveOut: leaveOut.split(',') };
  await writeFile(join(made, 'callfeed.json'), JSON.stringify(written));

  return {
    async deploy() {
      await run(`${cdkDeploy} --outputs-file outputs.json --require-approval never --no-notices`);
      return { outputs: await outputsIn(join(made, 'outputs.json')), assembly: join(made, 'cdk.out') };
    },
    callfeed: (command) => printed(`npx callfeed ${command} --stack ${stackName}`),
    version: () => printed(`${version} --stack ${stackName}`),
  };
};
