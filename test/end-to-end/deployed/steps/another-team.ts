import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import * as z from 'zod';
import { accessPatterns } from '../../../../docs/contract/access-patterns.ts';
import { root, startProcessTree, until } from '../../../support/process-tree.ts';
import type { Attempt } from '../another-team/reader.ts';
import { stackName, stage, type Version } from '../deployment.ts';
import {
  account,
  type Clients,
  Event,
  personalTexts,
  region,
  rootKey,
  type Subscriber,
  type TestContext,
} from '../test-context.ts';

const app = ['--app', `node ${join(root, 'test/end-to-end/deployed/another-team/stack.ts')}`, '-c', `stage=${stage}`];
const Outputs = z.object({
  'another-team': z.object({
    QueueUrl: z.url(),
    ForwardedQueueUrl: z.url(),
    ReaderName: z.string(),
    ViewerArn: z.string(),
  }),
});

/** Takes at most ten events out of a queue. */
const takeEvents = async (sqs: Clients['sqs'], QueueUrl: string | undefined): Promise<readonly Event[]> => {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  const events = Messages.map(({ Body = '' }) => Event.parse(JSON.parse(Body)));
  for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return events;
};

/** Another team's stack, which knows only the stage. */
export interface AnotherTeam extends Subscriber {
  readonly readerName: string;
  readonly forwardedQueueUrl: string;
  /** A role for people: it may read the tables, and find them by the deployment's stack. */
  readonly viewerArn: string;
}

/** Deploys the other stack. Its rule sends every event to a queue, and its function reads with its own role. */
export const deployAnotherTeam = async ({ cdk, folder }: Version, { sqs }: Clients): Promise<AnotherTeam> => {
  const file = join(folder, 'another-team.json');
  const files = ['--output', join(folder, 'another-team'), '--outputs-file', file];
  await cdk(root, ['deploy', ...app, ...files, '--require-approval', 'never']);
  const outputs = Outputs.parse(JSON.parse(await readFile(file, 'utf8')))['another-team'];
  const { QueueUrl, ReaderName: readerName, ForwardedQueueUrl: forwardedQueueUrl, ViewerArn: viewerArn } = outputs;

  const events: Event[] = [];
  return {
    readerName,
    forwardedQueueUrl,
    viewerArn,
    async events() {
      events.push(...(await takeEvents(sqs, QueueUrl)));
      return [...events];
    },
  };
};

export const destroyAnotherTeam = ({ cdk, folder }: Version): Promise<void> =>
  cdk(folder, ['destroy', 'another-team', '--app', join(folder, 'another-team'), '--force']);

/** As many events come to the queue behind a bus of the team's own, to which one rule forwards them. */
export const expectForwarded = async ({ sqs }: Clients, team: AnotherTeam): Promise<void> => {
  const request = { QueueUrl: team.forwardedQueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
  const counts = async () => {
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
    return { forwarded: Number(Attributes?.ApproximateNumberOfMessages), received: (await team.events()).length };
  };
  await until('every event is forwarded', counts, ({ forwarded, received }) => forwarded === received);
};

const Key = { pk: { S: 'demo' }, sk: { S: 'feed' } };

/** What only the functions of Callfeed may do, and what nobody needs. */
const denied: readonly Attempt[] = (['calls', 'agents'] as const).flatMap((table) => [
  { table, operation: 'put-item', input: { Item: Key } },
  { table, operation: 'delete-item', input: { Key } },
  { table, operation: 'scan', input: {} },
]);

/** The function of the other stack may make every request of the contract with its own role, and no write. */
export const readAsAnotherTeam = async ({ lambda }: Clients, { readerName }: AnotherTeam): Promise<void> => {
  const allowed = accessPatterns.map(({ table, request }) => ({ table, ...request }));
  const Payload = JSON.stringify([...allowed, ...denied]);
  const answer = await lambda.send(new InvokeCommand({ FunctionName: readerName, Payload }));
  const results = z.array(z.unknown()).parse(JSON.parse(answer.Payload?.transformToString() ?? ''));

  const rows = results.slice(0, allowed.length);
  expect(
    rows.filter((row) => !Number.isInteger(row)),
    'Each request of the contract is allowed',
  ).toStrictEqual([]);
  expect(
    accessPatterns
      .filter(({ question }, at) => rows[at] === 0 && !/in a state|past|day|feed|recorded late/.test(question))
      .map((one) => one.question),
    'The questions to calls and to the agents of now that found nothing',
  ).toStrictEqual([]);
  expect(results.slice(allowed.length), 'The answers to writes and scans').toStrictEqual(
    denied.map(() => 'AccessDeniedException'),
  );
};

const Shown = z.looseObject({ cards: z.array(z.looseObject({ title: z.string() })).optional() });

/**
 * `callfeed console` with a profile of the other team's role, as its people use it: it shows agents and calls, and of the rest
 * why it is not known.
 */
export const lookAtConsole = async ({ endpoint }: TestContext, viewerArn: string, folder: string): Promise<void> => {
  const AWS_CONFIG_FILE = join(folder, 'profiles');
  const { accessKeyId, secretAccessKey } = rootKey;
  await writeFile(
    AWS_CONFIG_FILE,
    `[profile root]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n` +
      `[profile viewer]\nsource_profile = root\nrole_arn = ${viewerArn}\nregion = ${region}\n`,
  );
  const lines: string[] = [];
  const tree = startProcessTree({
    command: join(root, 'cli/callfeed.js'),
    args: ['console', '--stack', stackName, '--profile', 'viewer'],
    folder,
    environment: { PATH: dirname(process.execPath), HOME: folder, AWS_CONFIG_FILE, AWS_ENDPOINT_URL: endpoint },
    onLine: (line) => lines.push(line),
  });
  const address = () => lines.find((line) => line.startsWith('http'));
  const ask = async (path: string) => {
    const answer = await fetch(`${address()}console/api/${path}`);
    const body = await answer.text();
    expect(answer.status, `The status of ${path}, with ${body}`).toStrictEqual(200);
    for (const text of personalTexts) expect(body, path).not.toContain(text);
    return Shown.parse(JSON.parse(body));
  };
  try {
    await until('the console prints its address', address, Boolean, { seconds: 30 });
    const accounts = [{ account: account.userName, timeZone: 'Asia/Kolkata' }];
    expect(await ask('about'), 'The accounts, without the right to read the secret').toMatchObject({ accounts });
    expect(await ask('floor'), 'The floor').toMatchObject({ agents: [{ agentId: 'asha', state: 'pause' }] });
    expect(await ask('calls?day=2026-11-20'), 'The calls of the day').toMatchObject({
      calls: expect.arrayContaining([expect.objectContaining({ callId: '12345678901234567890' })]),
    });
    const { cards = [] } = await ask('operations');
    const unknown = (title: string, action: string) => {
      const why = `AWS denied access: ${action} is not allowed for the role ${viewerArn.split('/').at(-1)}.`;
      return expect.objectContaining({ title, verdict: 'unknown', lines: [why] });
    };
    expect(cards).toContainEqual(unknown('Quarantine', 'dynamodb:Scan'));
    for (const title of ['Parked', 'Dead letters'])
      expect(cards).toContainEqual(unknown(title, 'sqs:GetQueueAttributes'));
  } finally {
    await tree.stop();
  }
};
