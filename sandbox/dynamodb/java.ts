import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** What DynamoDB Local is compiled for. */
export const oldestJava = 17;

const install = `Install a Java runtime of version ${oldestJava} or newer, for example
  Debian, Ubuntu   sudo apt-get install openjdk-${oldestJava}-jre-headless
  Fedora           sudo dnf install java-latest-openjdk-headless
  macOS            brew install openjdk && sudo ln -sfn "$(brew --prefix)/opt/openjdk/libexec/openjdk.jdk" /Library/Java/JavaVirtualMachines/
  Windows          winget install EclipseAdoptium.Temurin.21.JRE
or point JAVA_HOME at one, and start again.`;

/** Either the command that runs Java, or what to tell the user instead. */
export type Java = { readonly command: string } | { readonly problem: string };

/** The major version that `java -version` tells, or undefined; `1.8.0` is version 8. */
export const majorVersion = (told: string): number | undefined => {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(told) ?? [];
  if (first === undefined) return undefined;

  return Number(first === '1' ? second : first);
};

const versionOf = (command: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(command, ['-version'], { timeout: 20_000 }, (error, stdout, stderr) =>
      resolve(error === null ? majorVersion(stderr + stdout) : undefined),
    );
  });

/** Looks for Java in the folder JAVA_HOME, where that is set, and then for `command` on the path. */
export const findJava = async (home: string | undefined, command = 'java'): Promise<Java> => {
  const candidates = [...(home ? [join(home, 'bin', 'java')] : []), command];
  const versions = await Promise.all(candidates.map(versionOf));

  const index = versions.findIndex((version) => version !== undefined && version >= oldestJava);
  const chosen = candidates[index];
  if (chosen !== undefined) return { command: chosen };

  const found = versions.find((version) => version !== undefined);
  const reason = found === undefined ? 'no Java was found' : `only Java ${found} was found`;
  return { problem: `The sandbox runs Amazon's DynamoDB Local, which needs Java, but ${reason}.\n${install}` };
};
