import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkout, compile, installedPackage, projectWith } from '../../support/packed-package.ts';
import { pages, snippetsOf } from '../../support/repository-files.ts';
import { isExempt } from '../commands/not-run.ts';
import { isForCdk, isProgram } from './run-snippet.ts';

/** The types of what stands around the snippets: in a reader's own file, or in another snippet of the page. */
const given = {
  SqsQueue: "typeof import('aws-cdk-lib/aws-events-targets').SqsQueue",
  NodejsFunction: "typeof import('aws-cdk-lib/aws-lambda-nodejs').NodejsFunction",
  queue: "import('aws-cdk-lib/aws-sqs').Queue",
  missed: "import('aws-cdk-lib/aws-sqs').Queue",
  keyAccount: "import('aws-cdk-lib/aws-sqs').Queue",
  wallboard: "import('aws-cdk-lib/aws-lambda').Function",
  bus: "import('aws-cdk-lib/aws-events').IEventBus",
  encryptionKey: "import('aws-cdk-lib/aws-kms').IKey",
  alarmTopic: "import('aws-cdk-lib/aws-sns').ITopic",
  busArn: 'string',
  callsTableArn: 'string',
  agentsTableArn: 'string',
  keyArn: 'string',
  DynamoDBClient: "typeof import('@aws-sdk/client-dynamodb').DynamoDBClient",
  callfeed: "import('callfeed/client').CallfeedClient",
  floor: "Awaited<ReturnType<import('callfeed/client').CallfeedClient['floor']>>",
  calls: "readonly import('callfeed/contract').ListedCall[]",
  record: '{ readonly body: string }',
};

/** Imports begin a file; a snippet for the CDK is in a stack's constructor. */
const moduleOf = (text: string, isInStack: boolean): string => {
  const imports = text.match(/^import [^;]*;$/gm) ?? [];
  const body = imports.reduce((rest, each) => rest.replace(each, ''), text);
  const made = isInStack ? `export function make(this: import('aws-cdk-lib').Stack) { ${body} }` : body;
  return `${imports.join('\n')}\n${made}`;
};

it('every snippet that imports the package compiles with its types', async () => {
  const snippets = pages
    .flatMap(snippetsOf)
    .filter((snippet) => (isForCdk(snippet) || isProgram(snippet)) && !isExempt(snippet))
    .filter(({ text }) => text.includes("from 'callfeed/"));
  const files = snippets.map((snippet, at) => [`snippet-${at}.ts`, moduleOf(snippet.text, isForCdk(snippet))]);
  const constants = Object.entries(given).map(([name, type]) => `const ${name}: ${type};`);
  const project = projectWith(await installedPackage(), {
    ...Object.fromEntries(files),
    'given.ts': `declare global { ${constants.join('\n')} } export {};`,
    'tsconfig.json': readFileSync(join(checkout, 'docs/examples/subscriber/tsconfig.json'), 'utf8'),
  });

  expect(snippets.length).toBeGreaterThan(5);
  expect(await compile(project)).toEqual({ code: 0, output: '', errors: '' });
});
