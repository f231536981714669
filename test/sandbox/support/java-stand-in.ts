import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dynamodbEndpoint } from '../../support/dynamodb-local.ts';

const forwarder = fileURLToPath(new URL('forward-connections.ts', import.meta.url));

/**
 * A folder for JAVA_HOME. Its `java` forwards connections to the DynamoDB Local of the test run instead of starting
 * another one, which takes seconds. All sandboxes that use it share their tables.
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
