import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Key } from 'aws-cdk-lib/aws-kms';
import { NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { expect, it } from 'vitest';
import { projectRoot } from '../../cdk/constructs/function-code.ts';
import { isExempt } from '../docs/commands/not-run.ts';
import { isForCdk, runSnippet, type Surroundings } from '../docs/snippets/run-snippet.ts';
import { pages, snippetsOf } from '../support/repository-files.ts';
import { appFor, nameOf, permissionsIn, propertiesOf, synthesise } from './support/template.ts';

const env = { account: '444455556666', region: 'eu-west-1' };
const ofOwner = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:111122223333:${resource}`;

/** A function with code, which a reader has in a file beside the stack. */
class FunctionOfReader extends NodejsFunction {
  constructor(scope: Construct, id: string, props: NodejsFunctionProps = {}) {
    const entry = 'docs/examples/subscriber/handler.ts';
    super(scope, id, { entry, projectRoot, depsLockFilePath: 'package-lock.json', ...props });
  }
}

/** What the snippets use of a reader’s own stack. */
const surroundingsIn = (stack: Stack): Surroundings => ({
  SqsQueue,
  NodejsFunction: FunctionOfReader,
  ...Object.fromEntries(['queue', 'missed', 'keyAccount'].map((id) => [id, new Queue(stack, id)])),
  wallboard: new FunctionOfReader(stack, 'Reader'),
  bus: new EventBus(stack, 'Own'),
  encryptionKey: new Key(stack, 'Key'),
  alarmTopic: new Topic(stack, 'Alarms'),
  busArn: ofOwner('events', 'event-bus/callfeed'),
  callsTableArn: ofOwner('dynamodb', 'table/calls'),
  agentsTableArn: ofOwner('dynamodb', 'table/agents'),
  keyArn: ofOwner('kms', 'key/1'),
});

const missedCalls = { status: ['not-answered'], type: ['inbound', { exists: false }] };
const oneCustomer = { customerNumberE164: ['+447700900674'] };

interface Made {
  /** The rules: the target of each, and what it asks of a call. */
  readonly rules?: readonly (readonly [target: string, call: unknown])[];
  /** Some of what functions are granted. */
  readonly grants?: readonly unknown[];
}

/** What the stack of a snippet has, by its page and a text in it. */
const expected: Readonly<Record<string, Readonly<Record<string, Made>>>> = {
  'README.md': { 'new SqsQueue(queue)': { rules: [['queue.Arn', missedCalls]] } },
  'docs/consuming.md': {
    'new SqsQueue(keyAccount)': {
      rules: [
        ['missed.Arn', missedCalls],
        ['keyAccount.Arn', oneCustomer],
      ],
    },
    'CallfeedTables.fromStage': { grants: [expect.stringMatching(/^dynamodb:Query on \w+prodcallstablearn\w+\.Ref$/)] },
    'new ForwardedEvents': {
      rules: [
        ['Bus.Arn', undefined],
        ['missed.Arn', missedCalls],
      ],
      grants: [`dynamodb:Query on ${ofOwner('dynamodb', 'table/calls')}`, `kms:Decrypt on ${ofOwner('kms', 'key/1')}`],
    },
  },
  'docs/deploying.md': { 'new Callfeed(this': { rules: [['queue.Arn', missedCalls]] } },
};

const snippets = pages.flatMap(snippetsOf).filter((snippet) => isForCdk(snippet) && !isExempt(snippet));

it.each(snippets)('what $page shows for the CDK makes a template', async (snippet) => {
  const stack = new Stack(appFor(), 'Reader', { env });
  await runSnippet(snippet, surroundingsIn(stack), stack);
  const template = Template.fromStack(stack);

  const found = Object.entries(expected[snippet.page] ?? {}).filter(([part]) => snippet.text.includes(part));
  expect(found, snippet.text).toHaveLength(1);
  for (const [, { rules = [], grants = [] }] of found) {
    const made = Object.values(propertiesOf(template, 'AWS::Events::Rule'));
    expect(made.map(({ EventPattern, Targets }) => [nameOf(Targets[0].Arn), EventPattern.detail?.call])).toEqual(rules);
    const granted = Object.values(propertiesOf(template, 'AWS::IAM::Policy')).flatMap(permissionsIn);
    expect(granted).toEqual(expect.arrayContaining([...grants]));
  }
});

it('every text above is in a snippet', () => {
  const parts = Object.entries(expected).flatMap(([page, made]) =>
    Object.keys(made).map((part) => [page, part] as const),
  );

  expect(
    parts.filter(([page, part]) => !snippets.some((snippet) => snippet.page === page && snippet.text.includes(part))),
  ).toEqual([]);
});

it('the outputs of a deployment that docs/deploying.md shows are those of the stack', () => {
  const page = readFileSync('docs/deploying.md', 'utf8');
  const shown = [...page.matchAll(/^callfeed-prod\.(\w+) = /gm)].map(([, name = '']) => name);
  const outputs = Object.keys(synthesise().template.findOutputs('*'));

  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter((name) => !outputs.includes(name))).toEqual([]);
});
