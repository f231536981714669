import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject, it } from 'vitest';
import { answersTo, questions } from '../../docs/contract/questions.ts';
import { localAccessKey, localClient, localRegion } from '../../sandbox/frame/local-aws.ts';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { checkout, runIn } from '../support/packed-package.ts';
import { snippetsOf } from '../support/repository-files.ts';

const python = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
  const module = join(checkout, 'python');
  const environment = { PYTHONPATH: module, MYPYPATH: module, PYTHONDONTWRITEBYTECODE: '1', ...variables };
  return runIn(checkout, join(inject('pythonPrograms'), 'python'), args, { environment });
};

it('reads pages, refuses arguments, and handles events', async () => {
  const endpoint = await dynamodbEndpoint();
  // DynamoDB Local has other tables for each key.
  const accessKeyId = `${localAccessKey}python`;
  const dynamodb = new DynamoDBClient(localClient(endpoint, accessKeyId));
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'handled',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }),
  );
  dynamodb.destroy();
  const { code, errors } = await python(['test/python/test_callfeed.py'], {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_DEFAULT_REGION: localRegion,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'any',
  });

  expect([code, errors]).toEqual([0, expect.stringMatching(/\nRan 13 tests in .*\n\nOK\n$/)]);
});

it('has types without a finding, as have its tests, the example, the benchmark, and the programs of the pages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-mypy-'));
  const pythonOn = (page: string) => snippetsOf(page).filter(({ language }) => language === 'python');
  const [introduction] = pythonOn('docs/questions.md');
  const answers = questions.map((question) => {
    const [, program = ''] = /```python\n(.*?)```/s.exec(answersTo(question)) ?? [];
    return `${question.standsAlone ? '' : introduction?.text}${program}`;
  });
  const programs = [...answers, ...pythonOn('docs/consuming.md').map(({ text }) => text)].map((text, at) => {
    const file = join(folder, `program_${at}.py`);
    writeFileSync(file, text);
    return file;
  });
  const sources = ['python', 'test/python', 'docs/examples/python-subscriber', 'bench/python'];
  const options = ['--config-file', 'test/python/mypy.ini', '--cache-dir', folder];

  expect(programs.length).toBeGreaterThan(15);
  expect(await python(['-m', 'mypy', ...options, ...sources, ...programs])).toEqual({
    code: 0,
    output: expect.stringMatching(/^Success: no issues found in \d+ source files\n$/),
    errors: '',
  });
});

it('has types that find a mistake', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-mypy-'));
  const program = `from callfeed import Callfeed
def show(callfeed: Callfeed) -> None:
    floor = callfeed.floor()
    print(floor.agents)
    for call in callfeed.calls():
        print(call["status"] == "not-answred", call["calId"])
`;
  writeFileSync(join(folder, 'mistakes.py'), program);
  const options = ['--config-file', 'test/python/mypy.ini', '--cache-dir', folder];
  const { code, output } = await python(['-m', 'mypy', ...options, join(folder, 'mistakes.py')]);

  expect(code).toBe(1);
  for (const error of ['union-attr', 'comparison-overlap', 'typeddict-item']) expect(output).toContain(`[${error}]`);
});
