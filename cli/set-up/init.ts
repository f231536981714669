import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { alarmEmailExpected, stageName } from '../../lib/storage/rows.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type BareCommand, command, type OptionsOf, type RunContext } from '../frame/command.ts';
import { reject } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { printable } from '../frame/terminal.ts';

const { 'aws-cdk': cdk, 'aws-cdk-lib': cdkLibrary, constructs } = manifest.devDependencies;
const testedPackages = { 'aws-cdk': cdk, 'aws-cdk-lib': cdkLibrary, constructs };

const options = (command: BareCommand) =>
  command
    .option('--alarm-email <address>', 'who gets the alarms', (typed) =>
      z.email().safeParse(typed).success ? typed : reject(`It ${alarmEmailExpected}.`),
    )
    .option('--stage <name>', 'the stage, which names the stack callfeed-<stage> (default: prod)', (typed) =>
      stageName.pattern.test(typed) ? typed : reject(`It ${stageName.expected}.`),
    )
    .option('--no-install', 'write the files only; run npm install yourself')
    .argument('[folder]', 'the folder, which may hold other files (default: this one)');
type InitOptions = OptionsOf<typeof options>;

export const init = command({
  name: 'init',
  description: 'makes this folder the one you deploy from: your settings, and the packages with their versions',
  permissions: [],
  options,
  help: `Writes callfeed.json (your settings, with a new callback secret) and cdk.json, adds to .gitignore and package.json what a deployment needs, and
installs the packages. It needs a package.json that names callfeed, as npm install makes one.

Example:
  $ npx callfeed init --alarm-email ops@example.com`,
  run: (context, options, folder = '.') => makeFolder(context, resolve(folder), options),
});

const app = 'node node_modules/callfeed/dist/cdk/installed-app.js';

/** The service does not sign its posts: only an address that nobody can guess separates them from a stranger's. */
const settingsFor = ({ alarmEmail, stage }: InitOptions) => ({
  ...withoutUndefined({ stage, alarmEmail }),
  callbackSecret: randomBytes(24).toString('hex'),
});

const asJson = (value: object, indent: string | number = 2): string => `${JSON.stringify(value, null, indent)}\n`;

const makeFolder = async ({ terminal }: RunContext, folder: string, options: InitOptions): Promise<void> => {
  if (!existsSync(folder)) throw new Problem(`There is no folder ${folder}. Make it first.`, 2);
  const unchanged = (why: string) => new Problem(`${folder} ${why}. Nothing was changed.`);
  const kindOf = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false });
  const taken = ['cdk.json', 'callfeed.json'].filter((name) => kindOf(name) !== undefined);
  if (taken.length > 0) throw unchanged(`already has ${taken.join(' and ')}`);
  // What is written through a link may lie anywhere, and git reads no .gitignore through one.
  const links = ['.gitignore', 'package.json'].filter((name) => kindOf(name)?.isSymbolicLink());
  if (links.length > 0) throw unchanged(`has a link in place of ${links.join(' and ')}`);

  const textOf = (name: string) => (kindOf(name) === undefined ? '' : readFileSync(join(folder, name), 'utf8'));
  const packages = withPackages(textOf('package.json'));
  if (packages === undefined)
    throw unchanged(
      `has no package.json that names callfeed: first run “npm install” there with the path of its tarball`,
    );
  // The secret comes last, when git ignores it.
  writeFileSync(join(folder, '.gitignore'), withIgnored(textOf('.gitignore')));
  writeFileSync(join(folder, 'package.json'), packages.text);
  writeFileSync(join(folder, 'cdk.json'), asJson({ app, versionReporting: false }), { flag: 'wx' });
  writeFileSync(join(folder, 'callfeed.json'), asJson(settingsFor(options)), { flag: 'wx', mode: 0o600 });
  terminal.print('Wrote cdk.json and callfeed.json. callfeed.json holds the callback secret: keep it private.');
  for (const [name, before, after] of packages.replaced)
    terminal.print(printable(`package.json: ${name} ${after} replaces ${before}.`));

  if (options.install) await installPackages(folder);
  else terminal.print('Then: npm install');
  terminal.print(`Next, with credentials for your AWS account:
  npx cdk bootstrap     # once in each account and region
  npx cdk deploy
Settings: ${join(pages, 'configuration.md')}
What follows: ${join(pages, 'deploying.md')}`);
};

const pages = 'node_modules/callfeed/docs';

/** What must not be committed: callfeed.json holds the callback secret. */
const ignored = ['node_modules/', 'cdk.out/', 'callfeed.json'];

/** A .gitignore with what it lacks. A line that begins with ! may undo the lines before it. */
const withIgnored = (text: string): string => {
  const lines = text.split(/\r?\n/);
  const inForce = lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1);
  const missing = ignored.filter((line) => !inForce.includes(line));
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return missing.length === 0 ? text : `${text}${end}${missing.join('\n')}\n`;
};

const Packages = z.record(z.string(), z.string());
const Manifest = z.object({ dependencies: Packages.optional(), devDependencies: Packages.optional() });

/** A package.json with what a deployment needs, in its versions; undefined if callfeed is not named, as from a tarball. */
const withPackages = (text: string) => {
  const parsed = tryParseJson(text);
  const { data: read } = Manifest.safeParse(parsed);
  const before = { ...read?.dependencies, ...read?.devDependencies };
  if (read === undefined || !('callfeed' in before)) return undefined;
  const added = (kind: keyof typeof read, isWanted: (name: string) => boolean) => {
    const some = Object.entries(testedPackages).filter(([name]) => isWanted(name));
    return some.length > 0 && { [kind]: { ...read[kind], ...Object.fromEntries(some) } };
  };
  const isForDevelopment = (name: string) => name in { ...read.devDependencies };
  const [, indent = 2] = /^([ \t]+)"/m.exec(text) ?? [];
  const next = {
    ...Object(parsed),
    ...added('dependencies', (name) => !isForDevelopment(name)),
    ...added('devDependencies', isForDevelopment),
  };
  const replaced = Object.entries(testedPackages).flatMap(([name, version]) => {
    const earlier = before[name];
    return earlier === undefined || earlier === version ? [] : [[name, earlier, version] as const];
  });
  return { text: asJson(next, indent), replaced };
};

const installPackages = async (folder: string): Promise<void> => {
  // On Windows npm is a script, which only a shell can start. The arguments are our own.
  const shell = process.platform === 'win32';
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit', shell });
  const [code] = await once(npm, 'close').catch((error: unknown) => [Object(error).code]);
  if (code !== 0)
    throw new Problem(
      `npm could not install the packages (${code}). package.json names them, and all files are written: run npm install there later.`,
    );
};
