import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exampleEvents, scenario } from '../../docs/contract/examples.ts';
import { answersTo, questions } from '../../docs/contract/questions.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { checkout, compile, installedPackage, nodeIn, projectWith, runIn } from '../support/packed-package.ts';
import { snippetsOf } from '../support/repository-files.ts';
import { logIn } from '../support/sandbox.ts';
import { runAgainst, sandboxEnvironment } from './examples/support/example-project.ts';

const page = readFileSync(join(checkout, 'docs/questions.md'), 'utf8');
const [introduction = ''] = page.split(/^## /m);
const blockOf = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

/** A table of handled calls for the program in each language, which the page names `handled`. */
const handledTables = { python: 'handled-python', ts: 'handled-ts' } as const;

/** The zone of the account. Its midnight is hours away, so that yesterday stays yesterday. */
const zone = new Date().getUTCHours() === 18 ? 'Europe/Paris' : 'Asia/Kolkata';
const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('sv-SE', { timeZone: zone });
const here = (text: string): string => text.replaceAll('Asia/Kolkata', zone).replaceAll('2026-11-20', yesterday);

/** What every answer to a question shows, in the order of the page; the command line may show something else. */
const shown: readonly (readonly [RegExp, onCommandLine?: RegExp])[] = [
  [/^(?=.*41781234567890199)(?!.*41781234567890123)/s],
  [/^1 .*41781234567890199/m],
  [/41781234567890199.*41781234567890123.*12345678901234567999.*12345678901234567890/s],
  [/\b4 +(?:offered, )?3\b/],
  [/41781234567890123.*answered.*asha.*ravi/s],
  [/https:..recordings.example.com.demo.41781234567890123.mp3/],
  [/T05:46:33.208Z/],
  [/12345678901234567999.*12345678901234567890/s],
  [/^(?=.*41781234567890123)(?!.*12345678901234567890)/s],
  [/12345678901234567999/],
  [/asha +ready.*ravi +pause/s],
  [/asha +ready/],
  [/^(?=.*asha)(?!.*ravi)/s],
  [/T05:30:31.000Z.*asha/s],
  [/in-call/, /in a call/],
  [/interrupted \S+\nlive /, /^demo/m],
  // Each event comes twice, and another batch brings it again.
  [/^demo 41781234567890199 1\s*$/, /41781234567890199/],
];

const { calls, agents } = await scenario();
const { missed } = await exampleEvents();
let sandbox: Sandbox;
let project: string;
/** The program with the table of its language. */
const withTable = (language: keyof typeof handledTables, program: string): string =>
  program.replace(/(['"])handled\1/, `$1${handledTables[language]}$1`);
const files = Object.fromEntries(
  questions.map((question, at) => {
    const text = blockOf(answersTo(question), 'ts');
    return [
      `answer-${at}.ts`,
      here(question.standsAlone ? withTable('ts', text) : `${blockOf(introduction, 'ts')}${text}`),
    ];
  }),
);

beforeAll(async () => {
  const accounts = [{ userName: 'demo', apiKeys: ['demo-key'], timeZone: zone, token: { kind: 'generate' as const } }];
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, accounts });
  const { addresses } = sandbox;
  await fetch(addresses.agents, { method: 'POST', body: JSON.stringify([logIn('asha'), logIn('ravi', 'PAUSE')]) });
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const past = agents.filter(({ kind }) => ['interval', 'floor', 'feed-change'].includes(String(kind)));
  for (const [TableName, rows] of [['callfeed-calls', calls] as const, ['callfeed-agents', past] as const])
    for (const row of rows) {
      const Item = marshalled({
        ...JSON.parse(here(JSON.stringify(row))),
        expiresAt: Math.ceil(Date.now() / 1000) + 86_400,
      });
      await dynamodb.send(new PutItemCommand({ TableName, Item }));
    }
  for (const TableName of Object.values(handledTables))
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      }),
    );
  dynamodb.destroy();
  const agentsNow = () => runIn(checkout, 'npx', ['callfeed', 'agents', '--endpoint', addresses.gateway]);
  await vi.waitFor(async () => expect((await agentsNow()).output).toContain('asha'), {
    timeout: 60_000,
    interval: 500,
  });
  const tsconfig = readFileSync(join(checkout, 'docs/examples/subscriber/tsconfig.json'), 'utf8');
  project = projectWith(await installedPackage(), { 'tsconfig.json': tsconfig, ...files });
});
afterAll(() => sandbox?.stop());

it('every question is on the page, and known to the test, as is every program', () => {
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(questions.map(({ title }) => title));
  expect(shown).toHaveLength(questions.length);
  // One answers each question, behind the one of the introduction.
  for (const language of ['python', 'ts'])
    expect(snippetsOf('docs/questions.md').filter((each) => each.language === language)).toHaveLength(
      questions.length + 1,
    );
});

it('the answers in TypeScript compile', async () => {
  expect(await compile(project)).toEqual({ code: 0, output: '', errors: '' });
});

it('the program in Python of docs/consuming.md says who still waits', async () => {
  const PYTHONPATH = join(await installedPackage(), 'node_modules/callfeed/python');
  const [program] = snippetsOf('docs/consuming.md').filter(({ language }) => language === 'python');

  expect(
    await runAgainst(sandbox.addresses, [checkout, 'python', '-c', here(String(program?.text))], { PYTHONPATH }),
  ).toEqual({ code: 0, output: expect.stringMatching(/^1 .*41781234567890199\n$/), errors: '' });
});

/** An event as a queue delivers it to the program that hears of missed calls. */
const batch = () => {
  const record = { messageId: 'm1', body: here(JSON.stringify(missed)) };
  return JSON.stringify({ Records: [record, record] });
};

describe.each(questions.map((question, at) => ({ ...question, at })))('$title', ({ at, ...question }) => {
  const [everywhere = /never/, onCommandLine = everywhere] = shown[at] ?? [];
  const isProgram = question.standsAlone === true;

  it('is answered by the command line', async () => {
    const command = here(question.command.replace('--follow ', ''));
    const args = ['-c', `${command} --endpoint ${sandbox.addresses.gateway}`];

    expect(await runIn(checkout, 'bash', args)).toMatchObject({
      code: 0,
      output: expect.stringMatching(onCommandLine),
    });
  });

  it('is answered in Python', async () => {
    const text = blockOf(answersTo(question), 'python');
    const program = isProgram
      ? `${withTable('python', text)}\nimport json\nfor _ in range(2): assert handler(json.loads(r'''${batch()}'''), None) == {"batchItemFailures": []}`
      : blockOf(introduction, 'python') + text;

    // As somebody has it who installed the package.
    const PYTHONPATH = join(await installedPackage(), 'node_modules/callfeed/python');

    expect(await runAgainst(sandbox.addresses, [checkout, 'python', '-c', here(program)], { PYTHONPATH })).toEqual({
      code: 0,
      output: expect.stringMatching(everywhere),
      errors: '',
    });
  });

  it('is answered in TypeScript', async () => {
    const args = isProgram
      ? [
          '--input-type=module',
          '-e',
          `import { handler } from './answer-${at}.ts'; for (const _ of [1, 2]) if ((await handler(${batch()})).batchItemFailures.length > 0) throw new Error('Failed');`,
        ]
      : [`answer-${at}.ts`];
    const environment = sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb });

    expect(await nodeIn(project, args, { environment })).toEqual({
      code: 0,
      output: expect.stringMatching(everywhere),
      errors: '',
    });
  });
});
