import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { dynamodbEndpoint } from './dynamodb-local.ts';

const forwarder = fileURLToPath(new URL('forward-connections.ts', import.meta.url));

/**
 * A folder for JAVA_HOME. Its `java` forwards requests to the DynamoDB Local of the test run instead of starting
 * another one, which takes seconds. Each start has tables of its own.
 */
export const javaStandIn = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'callfeed-java-'));
  const program = join(home, 'bin', 'java');
  const forward = [process.execPath, forwarder, await dynamodbEndpoint()].map((part) => `'${part}'`).join(' ');
  await mkdir(join(home, 'bin'));
  await writeFile(
    program,
    `#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "21"' >&2; else exec ${forward} "$@"; fi
`,
  );
  await chmod(program, 0o755);
  return home;
};

/** Starts a sandbox over the DynamoDB Local of the test run. Its own DynamoDB Local would take seconds to start. */
export const startSharedSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { JAVA_HOME } = process.env;
  process.env['JAVA_HOME'] = await javaStandIn();
  try {
    return await startSandbox(options);
  } finally {
    if (JAVA_HOME === undefined) delete process.env['JAVA_HOME'];
    else process.env['JAVA_HOME'] = JAVA_HOME;
  }
};
