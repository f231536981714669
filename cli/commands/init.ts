import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { RunContext } from '../context.ts';
import { argument, command, type OptionsOf, text, unlessNot } from '../options.ts';
import { Problem } from '../problem.ts';

/** The versions of the CDK that this version of Callfeed was tested with. */
const { 'aws-cdk': cdk, 'aws-cdk-lib': cdkLibrary, constructs } = manifest.devDependencies;
const testedPackages = [`aws-cdk@${cdk}`, `aws-cdk-lib@${cdkLibrary}`, `constructs@${constructs}`];

const settings = {
  folder: argument('[folder]', 'the folder, which may hold other files (default: this one)'),
  alarmEmail: text('<address>', 'who gets the alarms'),
  stage: text('<name>', 'the stage, which names the stack callfeed-<stage> (default: prod)'),
  install: unlessNot('write the files only; run npm install yourself'),
};
type InitOptions = OptionsOf<typeof settings>;

/** `callfeed init` */
export const init = command({
  name: 'init',
  description: 'makes this folder the one you deploy from: your settings, and the packages with their versions',
  settings,
  help: `Writes callfeed.json (your settings, with a new callback secret), cdk.json and .gitignore, and installs callfeed and the
CDK with npm. It changes no file that is there. Afterwards “npx cdk deploy” deploys with your own AWS credentials.

Examples:
  $ npx callfeed init --alarm-email ops@example.com
  $ npx callfeed init telephony --stage dev`,
  run: (context, options) => makeFolder(context, resolve(options.folder ?? '.'), options),
});

/** The app that the package brings along, from the folder that it is installed in. */
const app = 'node node_modules/callfeed/dist/cdk/installed-app.js';

/** Files of a deployment by name. */
const filesOf = ({ alarmEmail, stage }: InitOptions): Readonly<Record<string, string>> => ({
  'cdk.json': asJson({ app, versionReporting: false }),
  'callfeed.json': asJson({
    ...(stage !== undefined && { stage }),
    ...(alarmEmail !== undefined && { alarmEmail }),
    // The service does not sign its posts: only an address that nobody can guess separates them from a stranger's.
    callbackSecret: randomBytes(24).toString('hex'),
  }),
});

const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** What must not be committed: callfeed.json holds the callback secret. */
const ignored = 'node_modules/\ncdk.out/\ncallfeed.json\n';

const makeFolder = async ({ terminal }: RunContext, folder: string, options: InitOptions): Promise<void> => {
  if (!existsSync(folder)) throw new Problem(`There is no folder ${folder}. Make it first.`, 2);
  const files = filesOf(options);
  const taken = Object.keys(files).filter((name) => existsSync(join(folder, name)));
  if (taken.length > 0) throw new Problem(`${folder} already has ${taken.join(' and ')}. Nothing was changed.`);

  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  if (!existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), ignored);
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), asJson({ private: true }));
  terminal.print(
    `Wrote ${Object.keys(files).join(' and ')}. callfeed.json holds the callback secret: keep it private.`,
  );

  const packages = [...(hasCallfeed(folder) ? [] : [`callfeed@${manifest.version}`]), ...testedPackages];
  if (options.install) await installPackages(folder, packages);
  else terminal.print(`Then: npm install --save-exact ${packages.join(' ')}`);
  terminal.print(`Next, with credentials for your AWS account:
  npx cdk bootstrap     # once in each account and region
  npx cdk deploy
Settings: ${new URL('configuration.md', documents)}
What follows: ${new URL('deploying.md', documents)}`);
};

/** The pages of this version. */
const documents = new URL(`${manifest.homepage}/blob/v${manifest.version}/docs/`);

/** Whether the folder's package.json names callfeed, such as a tarball of it: then that one stays. */
const hasCallfeed = (folder: string): boolean => {
  const Package = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
  });
  const read = Package.safeParse(tryParseJson(readFileSync(join(folder, 'package.json'), 'utf8')));
  return read.success && 'callfeed' in { ...read.data.dependencies, ...read.data.devDependencies };
};

const installPackages = async (folder: string, packages: readonly string[]): Promise<void> => {
  // On Windows npm is a script, which only a shell can start. The arguments are our own.
  const npm = spawn('npm', ['install', '--save-exact', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'close');
  if (code !== 0)
    throw new Problem(
      `npm could not install the packages (above is why). The files are written: run npm install later.`,
    );
};
