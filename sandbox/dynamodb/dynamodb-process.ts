import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { freePort } from '../http/free-port.ts';
import { localHost } from '../http/listen.ts';
import { dynamodbArguments } from './dynamodb-jar.ts';
import { findJava } from './java.ts';
import { untilReady } from './until-ready.ts';

/** Where to run; `dataFolder` is an absolute path, created when missing. Without it everything stays in memory. */
export interface DynamodbOptions {
  readonly port: number;
  readonly dataFolder?: string | undefined;
}

/** A running DynamoDB Local. `ended` resolves once the process is gone, for whatever reason. */
export interface DynamodbProcess {
  readonly endpoint: string;
  readonly port: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const guard = fileURLToPath(new URL('guard.ts', import.meta.url));

/**
 * Starts Amazon's DynamoDB Local and resolves once it answers. It runs under a guard in a process group of its own:
 * Ctrl-C in the terminal does not reach it before the rest is stopped, and it ends when this process ends, however that
 * happens. Rejects with a message for the user: no Java, a port in use, or what the program itself had to say.
 */
export const startDynamodb = async ({ port, dataFolder }: DynamodbOptions): Promise<DynamodbProcess> => {
  const java = await findJava(process.env['JAVA_HOME']);
  if ('problem' in java) throw new Error(java.problem);

  const number = await freePort({ number: port, flag: '--dynamodb-port' });
  if (dataFolder !== undefined) await mkdir(dataFolder, { recursive: true });

  const child = spawn(process.execPath, [guard, java.command, ...dynamodbArguments(number, dataFolder)], {
    cwd: tmpdir(),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = (): Promise<void> => {
    child.stdin.end();
    return ended;
  };
  child.stdin.on('error', () => undefined);

  const endpoint = `http://${localHost}:${number}`;
  try {
    await untilReady(endpoint, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, port: number, ended, stop };
};
