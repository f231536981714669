import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { leaveOut } from '../leave-out.ts';
import type { Tell } from '../runner/steps.ts';
import { type Cdk, root } from './cdk.ts';

/** The stack's name, by its stage. */
const stage = 'e2e';
export const stackName = `callfeed-${stage}` as const;

const Outputs = z.object({
  CallbackUrl: z.url(),
  BusName: z.string(),
  CallsTableName: z.string(),
  AgentsTableName: z.string(),
  QuarantineTableName: z.string(),
  AccountsSecretArn: z.string(),
  ParkingQueueUrl: z.url(),
  ParkingDeadLettersUrl: z.url(),
  TickQueueUrl: z.url(),
});

/** What the stack tells of itself once it is deployed. */
export type Outputs = Readonly<z.infer<typeof Outputs>>;

const OutputsFile = z.object({ [stackName]: Outputs });

/** A stack that was synthesised into a folder of its own and deployed. */
export interface Deployment {
  readonly outputs: Outputs;
  readonly assembly: string;
}

/** A version of the stack: where it is put together, and what is chosen beside what holds for every version here. */
export interface Version {
  readonly cdk: Cdk;
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** What somebody has chosen for deployments of their own is left alone. Beside that, only what MiniStack asks for. */
const chosen = { stage, settingsFile: '', leaveOut };

/** Puts a version of the stack together and deploys it. */
export const deploy = async (tell: Tell, { cdk, folder, settings }: Version): Promise<Deployment> => {
  const assembly = join(folder, 'cdk.out');
  const outputsFile = join(folder, 'outputs.json');
  const context = Object.entries({ ...chosen, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const files = ['--output', assembly, '--outputs-file', outputsFile];
  await cdk(tell, root, ['deploy', ...context, ...files, '--require-approval', 'never']);

  const outputs = OutputsFile.parse(JSON.parse(await readFile(outputsFile, 'utf8')));
  return { outputs: outputs[stackName], assembly };
};
