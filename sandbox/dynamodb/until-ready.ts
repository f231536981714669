import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../local-client.ts';

const deadlineMilliseconds = 30_000;
const shownCharacters = 4_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const answers = (client: DynamoDBClient): Promise<boolean> =>
  client.send(new ListTablesCommand({ Limit: 1 })).then(
    () => true,
    () => false,
  );

/** Resolves once DynamoDB Local lists its tables; rejects, with what it printed, when it ends or takes too long. */
export const untilReady = async (endpoint: string, child: Child): Promise<void> => {
  let printed = '';
  const keep = (text: Buffer): void => {
    printed = (printed + text.toString()).slice(-shownCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  const client = new DynamoDBClient({ ...localClient(endpoint), maxAttempts: 1 });
  const deadline = Date.now() + deadlineMilliseconds;
  try {
    while (!(await answers(client))) {
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
