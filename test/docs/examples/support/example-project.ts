import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { unmarshalled } from '../../../../lib/storage/rows.ts';
import { localClient } from '../../../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/sandbox.ts';
import type { Addresses, SandboxState } from '../../../../sandbox/sandbox-routes.ts';
import type { Properties } from '../../../cdk/support/template.ts';
import {
  checkout,
  compile,
  type Ended,
  installedPackage,
  nodeIn,
  projectWith,
  runIn,
} from '../../../support/packed-package.ts';
import { demoCall, postCall, published } from '../../../support/sandbox.ts';
import { matches } from '../../contract/support/event-bridge.ts';

const examples = join(checkout, 'docs/examples');

/**
 * A copy of an example in a folder with the packed package installed, so that it imports what users get and not the
 * sources. The CDK looks for a lock file before it bundles, so there is one.
 */
const exampleProject = async (name: string): Promise<string> => {
  const files = readdirSync(join(examples, name)).map((file) => [
    file,
    readFileSync(join(examples, name, file), 'utf8'),
  ]);

  return projectWith(await installedPackage(), { ...Object.fromEntries(files), 'package-lock.json': '{}' });
};

/** The variables of sandbox.env, with changes for a sandbox at other addresses. */
export const sandboxEnvironment = (changes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const variables = parseEnv(readFileSync(join(examples, 'sandbox.env'), 'utf8'));

  return { ...Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value])), ...changes };
};

/** A script that passes its standard input to the handler, with half a minute to go, and prints the answer in its last line. */
const invokeScript = (bundle: string): string => `
  import { text } from 'node:stream/consumers';
  import { handler } from '${bundle}';
  const context = { getRemainingTimeInMillis: () => 30_000 };
  try {
    const answer = await handler(JSON.parse(await text(process.stdin)), context);
    process.stdout.write(JSON.stringify(answer) ?? '');
  } catch (error) {
    // Node would print the line of the bundle before it, which is longer than a pipe takes at once.
    process.stderr.write(error.stack);
    process.exitCode = 1;
  }`;

/** The context of a stack, and the account that the CDK's command line would find. */
interface SynthesisOptions {
  readonly context: Readonly<Record<string, string>>;
  readonly account?: string;
}

/** An example with a stack, installed and synthesised in its own project. */
export const synthesisedExample = async (name: string, stack: string, { context, account }: SynthesisOptions) => {
  const project = await exampleProject(name);
  const assembly = join(project, 'cdk.out');
  const environment = {
    CDK_OUTDIR: assembly,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    ...(account !== undefined && { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: 'eu-west-1' }),
  };
  const { code, errors } = await nodeIn(project, ['app.ts'], { environment });
  if (code !== 0) throw new Error(errors);

  const template: { readonly Resources: Readonly<Record<string, { Type: string; Properties: Properties }>> } =
    JSON.parse(readFileSync(join(assembly, `${stack}.template.json`), 'utf8'));
  const [asset = ''] = readdirSync(assembly).filter((name) => name.startsWith('asset.'));

  /** Runs the bundled handler with an event, as Lambda would. The last line is its answer. */
  const invoke = async (event: unknown, variables: Readonly<Record<string, string>>) => {
    const { output, errors } = await nodeIn(
      project,
      ['--input-type=module', '-e', invokeScript(join(assembly, asset, 'index.mjs'))],
      { input: JSON.stringify(event), environment: variables },
    );

    return { lines: output.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line))), errors };
  };

  return {
    project,
    /** The properties of the template's resources of one type. */
    ofType: (type: string): readonly Properties[] =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : [])),
    invoke,
    /** Runs the bundled handler with a batch of messages. */
    async deliver(bodies: readonly string[], variables: Readonly<Record<string, string>>) {
      const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body }));
      const { lines, errors } = await invoke({ Records }, variables);

      return { answer: lines.at(-1), messages: lines.slice(0, -1).map(({ message }) => message), errors };
    },
  };
};

export type SynthesisedExample = Awaited<ReturnType<typeof synthesisedExample>>;

interface PostedSandbox {
  readonly post: (callId: string, changes?: Readonly<Record<string, string>>) => ReturnType<typeof postCall>;
  /** Lines of the sandbox's events, once there are so many. */
  readonly published: (count: number) => ReturnType<typeof published>;
}

/** An example beside a sandbox, for the tests of a file. `prepare` posts calls there. The first test is that the stack compiles. */
export const exampleBesideSandbox = (
  name: string,
  { stack = name, ...options }: SynthesisOptions & { readonly stack?: string },
  prepare: (sandbox: PostedSandbox) => Promise<void> = async () => undefined,
) => {
  let example: SynthesisedExample;
  let sandbox: Sandbox;
  let dynamodb: DynamoDBClient;
  beforeAll(async () => {
    example = await synthesisedExample(name, stack, options);
    sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
    dynamodb = new DynamoDBClient(localClient(sandbox.addresses.dynamodb));
    await prepare({ post, published: publishedLines });
  });
  afterAll(async () => {
    dynamodb?.destroy();
    await sandbox?.stop();
  });
  it('the stack compiles', async () => {
    expect(await compile(example.project)).toEqual({ code: 0, output: '', errors: '' });
  });
  const ofType = (type: string) => example.ofType(type);
  const post: PostedSandbox['post'] = (callId, changes = {}) =>
    postCall(sandbox.addresses.callbacks, demoCall(callId, changes));
  const publishedLines: PostedSandbox['published'] = (count) => published(sandbox, count);

  return {
    ofType,
    example: () => example,
    addresses: () => sandbox.addresses,
    post,
    /** What failed five times, or cannot be delivered, becomes a dead letter; of a batch, what failed comes again. */
    expectDeadLetters() {
      const [policy, ...others] = ofType('AWS::SQS::Queue').flatMap(({ RedrivePolicy }) => RedrivePolicy ?? []);
      expect([policy?.maxReceiveCount, others]).toEqual([5, []]);
      for (const { Targets } of ofType('AWS::Events::Rule'))
        expect(Targets[0].DeadLetterConfig.Arn).toEqual(policy.deadLetterTargetArn);
      const mappings = ofType('AWS::Lambda::EventSourceMapping').map(
        ({ FunctionResponseTypes }) => FunctionResponseTypes,
      );
      expect(mappings).toEqual([['ReportBatchItemFailures']]);
    },
    published: publishedLines,
    /** The rules of the stack that select an event. */
    rulesFor: (line: string) =>
      ofType('AWS::Events::Rule').filter(({ EventPattern }) => matches(EventPattern, JSON.parse(line))),
    environment: (changes: Readonly<Record<string, string>>) =>
      sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb, ...changes }),
    /** A new table as the stack makes it. */
    async newTable() {
      const TableName = `table-${randomUUID()}`;
      for (const { KeySchema, AttributeDefinitions, BillingMode } of ofType('AWS::DynamoDB::Table'))
        await dynamodb.send(new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode }));
      const rows = async () => ((await dynamodb.send(new ScanCommand({ TableName }))).Items ?? []).map(unmarshalled);
      return { name: TableName, rows };
    },
  };
};

/** A section of the runbook by its title, without its subsections. Throws if there is none. */
export const runbookSection = (title: string): string => {
  const [, section] = readFileSync(join(checkout, 'docs/runbook.md'), 'utf8').split(`# ${title}\n`);
  if (section === undefined) throw new Error(`The runbook has no section ${title}`);
  const [own = ''] = section.split(/^#/m);
  return own;
};

/** The commands of a section, block by block. */
export const blocksIn = (section: string): readonly string[] =>
  [...section.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

/** Every command of a section: those of Callfeed within its sentences, and those of its blocks one by one. */
export const commandsOf = (section: string): readonly string[] => [
  ...[...section.replace(/```.*?```/gs, '').matchAll(/`(npx callfeed [^`]+)`/g)].map(([, command = '']) =>
    command.replaceAll(/\s+/g, ' '),
  ),
  ...blocksIn(section).flatMap((block) => block.trim().split(/(?<!\\)\n/)),
];

/** Runs a program in a folder, with the environment of the examples and the AWS CLI, against a sandbox. */
export const runAgainst = (
  { dynamodb, secretsmanager }: Pick<Addresses, 'dynamodb' | 'secretsmanager'>,
  [folder, program, ...args]: readonly [folder: string, program: string, ...args: string[]],
  changes: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  runIn(folder, program, args, {
    environment: sandboxEnvironment({
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
      PATH: `${inject('pythonPrograms')}:${process.env['PATH']}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...changes,
    }),
  });

/** How an operator at a sandbox differs from one at a deployment. */
interface Operator {
  /** What is typed where the shell reads a secret. */
  readonly typed?: string;
  readonly callbackSecret: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs commands of the runbook in one shell of a checkout. They are as printed, but that they go to a sandbox, with its account
 * `demo`, and that what an operator types is the input of `read`.
 */
export const runAsPrinted = async (
  sandbox: string,
  { typed = '', callbackSecret, environment }: Operator,
  ...blocks: readonly (string | undefined)[]
): Promise<Ended> => {
  const { accountsSecret, addresses } = (await (await fetch(sandbox)).json()) as SandboxState;
  const address = callbackSecret === '' ? addresses.gateway : `${addresses.gateway}/${callbackSecret}`;
  const outputs = `output() { case $1 in
    AccountsSecretArn) echo ${accountsSecret};; CallbackUrl) echo ${address};; AgentsTableName) echo callfeed-agents;; *) exit 9;;
  esac; }`;
  const here = blocks
    .map((block = 'false') => (block.startsWith('read -rs') ? `{ ${block} } <<< '${typed}'` : block))
    .join('\n')
    .replaceAll('--stack "$STACK"', `--endpoint ${addresses.gateway}`)
    .replaceAll(/(?<![$\w.])ACCOUNT(?![\w=])|(?<=\bACCOUNT=)acme/g, 'demo');
  return runAgainst(addresses, [checkout, 'bash', '-c', `set -eo pipefail\n${outputs}\n${here}`], environment);
};
