import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import type { Closers } from '../../../sandbox/frame/lifecycle.ts';
import { root, runToEnd } from '../../support/process-tree.ts';
import { blocksOf } from '../../support/repository-files.ts';
import { assemblyOf } from '../../upgrade/releases.ts';
import { leaveOut } from './ministack/start-ministack.ts';
import { type Clients, recordingHost, region, rootKey } from './test-context.ts';

/** Runs the CDK's command line; rejects with the end of what it printed unless it succeeds. */
type Cdk = (folder: string, args: readonly string[]) => Promise<void>;

/** The environment of a command that talks to an emulated AWS. */
const environmentAt = (endpoint: string, bin: string): Readonly<Record<string, string>> => ({
  PATH: `${dirname(process.execPath)}:${bin}:/usr/bin:/bin`,
  NO_COLOR: '1',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  CDK_DISABLE_VERSION_CHECK: 'true',
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: rootKey.accessKeyId,
  AWS_SECRET_ACCESS_KEY: rootKey.secretAccessKey,
});

/** The CDK's command line against an emulated AWS. What it writes beside its output goes into `home`. */
export const cdkAt = async (endpoint: string, home: string, closers: Closers): Promise<Cdk> => {
  await mkdir(home);
  const bin = join(root, 'node_modules/.bin');
  const environment = { ...environmentAt(endpoint, bin), HOME: home, TMPDIR: home };

  return (folder, args) =>
    runToEnd({ command: join(bin, 'cdk'), args: [...args, '--no-notices'], folder, environment }, closers);
};

/** The stack's name, by its stage. */
export const stage = 'e2e';
export const stackName = `callfeed-${stage}` as const;

const Outputs = z.object({
  CallbackUrl: z.url(),
  BusName: z.string(),
  CallsTableName: z.string(),
  AgentsTableName: z.string(),
  QuarantineTableName: z.string(),
  AccountsSecretArn: z.string(),
  TickQueueUrl: z.url(),
  ReconciliationQueueUrl: z.url(),
  AnalyticsDatabase: z.optional(z.string()),
  AnalyticsWorkGroup: z.optional(z.string()),
});

export type Outputs = Readonly<z.infer<typeof Outputs>>;

const OutputsFile = z.object({ [stackName]: Outputs });

/** The outputs of the stack in a file that `cdk deploy` wrote. */
const outputsIn = async (file: string): Promise<Outputs> =>
  OutputsFile.parse(JSON.parse(await readFile(file, 'utf8')))[stackName];

export interface Deployment {
  readonly outputs: Outputs;
  readonly assembly: string;
}

/** A version of the stack: the folder for its assembly, and settings beside those of every version here. */
export interface Version {
  readonly cdk: Cdk;
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A developer's own settings file is not read. `leaveOut` names what MiniStack cannot deploy. */
const baseContext = { stage, settingsFile: '', reconciliation: 'hourly', forwarding: 'on', leaveOut };

/** The options of the CDK's command line that give the settings of every version here, and others. */
export const contextOptions = (settings: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries({ ...baseContext, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Deploys a release as it was recorded: its template and its functions, with the settings of every version here. */
export const deployRelease = async ({ cdk, folder }: Version, release: string): Promise<Deployment> => {
  const assembly = join(folder, release);
  for (const [file, text] of Object.entries(assemblyOf(release))) {
    await mkdir(dirname(join(assembly, file)), { recursive: true });
    await writeFile(join(assembly, file), text);
  }
  return deployApp({ cdk, folder }, ['--app', assembly], assembly);
};

/** Deploys this version. */
export const deploy = ({ cdk, folder, settings }: Version): Promise<Deployment> => {
  const assembly = join(folder, 'cdk.out');
  return deployApp({ cdk, folder }, [...contextOptions(settings), '--output', assembly], assembly);
};

const deployApp = async (
  { cdk, folder }: Version,
  options: readonly string[],
  assembly: string,
): Promise<Deployment> => {
  const outputsFile = join(folder, 'outputs.json');
  await cdk(root, ['deploy', stackName, ...options, '--outputs-file', outputsFile, '--require-approval', 'never']);

  return { outputs: await outputsIn(outputsFile), assembly };
};

/** The physical ids of the stack's resources of a type, or of those whose logical ids begin with a text. */
const stackResources = async (
  { cloudFormation: client }: Pick<Clients, 'cloudFormation'>,
  type: string,
  beginning = '',
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName }))
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries)
      if (ResourceType === type && LogicalResourceId.startsWith(beginning)) ids.push(PhysicalResourceId);
  return ids;
};

/** The name of the one function below a construct. */
export const functionOf = async (clients: Clients, construct: string): Promise<string> => {
  const [name, ...others] = await stackResources(clients, 'AWS::Lambda::Function', `Callfeed${construct}`);
  if (name === undefined || others.length > 0) throw new Error(`The stack has no single function below ${construct}`);
  return name;
};

/** Every line in the logs of the stack, in the order of time within each log. */
export const logLines = async ({ clients }: { readonly clients: Clients }): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const logGroupName of await stackResources(clients, 'AWS::Logs::LogGroup'))
    for await (const { events = [] } of paginateFilterLogEvents({ client: clients.logs }, { logGroupName }))
      lines.push(...events.map(({ message = '' }) => message));
  return lines;
};

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
