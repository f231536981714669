import { AthenaClient } from '@aws-sdk/client-athena';
import { describe, expect, it } from 'vitest';
import { questionsInSql } from '../../../cli/day/period.ts';
import { openDuckDb, writeParquet } from '../../../functions/transform-events/duckdb.ts';
import { questions } from '../../../functions/transform-events/sql-files.ts';
import { awsJson, failure, result } from '../../../sandbox/frame/aws-json.ts';
import { serveForTest } from '../../support/local-servers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cli, jsonLines, type Replaced } from '../support/cli-run.ts';
import { stubDeployment } from '../support/local-deployment.ts';

const folder = async (): Promise<string> => {
  const { path } = temporaryFolder('query');
  const call = (id: string, skill: string, day: string) => ({
    table: 'call_revisions' as const,
    day,
    row: {
      account: 'demo',
      call_id: id,
      revision: 1,
      status: 'answered',
      skill_name: skill,
      dispositions: ['=1+1', 'a'],
      quarter: `${day} 05:15:00.000`,
      local_day: day,
      local_quarter: `${day} 10:45:00.000`,
      elapsed_seconds: 0.12345,
    },
  });
  const connection = await openDuckDb();
  await writeParquet(connection, path, [call('1', 'Sales', '2026-11-20'), call('2', 'Support', '2026-11-01')]);
  connection.closeSync();
  return path;
};

const clock = () => new Date('2026-11-21T09:00:00.000Z');

describe('callfeed query', () => {
  it('lists the questions', async () => {
    const listed = await cli(['query']);
    expect(listed).toMatchObject({ code: 0, notes: '' });
    for (const { name, title } of questions())
      expect(listed.output).toMatch(new RegExp(`${name} +${title.replace('?', '\\?')}`));
    expect(jsonLines(await cli(['query', '--json']))).toHaveLength(13);
    // What `callfeed day` names for a large period.
    expect(questions().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(questionsInSql)));
  });

  it('answers a question over a folder, of the days that are asked for', async () => {
    const dir = await folder();
    const ask = (...more: string[]) =>
      cli(['query', 'abandonment-by-campaign', '--dir', dir, '--json', ...more], { clock });
    const answer = (day: string) => ({ local_day: day, offered: 1, campaign_name: null, abandonment: 0 });
    expect(jsonLines(await ask())).toMatchObject([answer('2026-11-01'), answer('2026-11-20')]);
    expect(jsonLines(await ask('--from', '2026-11-02'))).toMatchObject([answer('2026-11-20')]);
    expect(jsonLines(await ask('--to', 'yesterday', '--from', 'yesterday'))).toMatchObject([answer('2026-11-20')]);
    const none = { code: 0, output: '', notes: '0 rows. Nothing was charged.\n' };
    expect(await ask('--to', '2026-10-01')).toMatchObject(none);
  });

  it('prints a table, CSV that runs no formula, and exact JSON', async () => {
    const sql =
      "SELECT skill_name, elapsed_seconds, dispositions, 12345678901234567890::HUGEINT AS big, -1.5 AS below FROM calls WHERE call_id = '1'";
    const ask = async (...more: string[]) =>
      (await cli(['query', '--sql', sql, '--dir', await folder(), ...more])).output;
    expect(await ask()).toMatch(
      /^SKILL NAME +ELAPSED SECONDS +DISPOSITIONS +BIG +BELOW\nSales +0\.123 +\["=1\+1","a"\] +12345678901234567890 +-1\.5\n$/,
    );
    expect(await ask('--csv')).toBe(
      '\uFEFFskill_name,elapsed_seconds,dispositions,big,below\r\nSales,0.12345,"[""=1+1"",""a""]",12345678901234567890,-1.5\r\n',
    );
    expect(JSON.parse(await ask('--json'))).toEqual({
      skill_name: 'Sales',
      elapsed_seconds: 0.12345,
      dispositions: ['=1+1', 'a'],
      big: '12345678901234567890',
      below: -1.5,
    });
  });

  it.each([
    ['an unknown question', 'nope', 2, /^There is no question nope\. Questions are:\n {2}abandonment-by-campaign\n/],
    ['a question and SQL', 'missed-calls --sql SELECT', 2, /^Give a question or --sql, not both/],
    ['days of SQL', '--sql SELECT --from today', 2, /cannot be used with option/],
    ['days in the wrong order', 'missed-calls --from 2026-11-02 --to 2026-11-01', 2, /^--from must not be after --to/],
    ['a folder that is not there', 'missed-calls --dir /nowhere', 2, /^There is no folder \/nowhere/],
  ])('rejects %s', async (_title, line, code, notes) => {
    expect(await cli(['query', ...line.split(' ')])).toMatchObject({
      code,
      output: '',
      notes: expect.stringMatching(notes),
    });
  });

  it('says what DuckDB does not understand', async () => {
    const { code, notes } = await cli(['query', '--sql', 'SELECT nothing FROM calls', '--dir', await folder()]);
    expect([code, notes]).toEqual([1, expect.stringMatching(/^DuckDB rejected the question: .*"nothing"/)]);
  });

  it('says where there is nothing to ask', async () => {
    const connect = async () => stubDeployment();
    const ask = (...more: string[]) => cli(['query', 'missed-calls', ...more], { connect });
    const notes = 'This deployment has no analytics: deploy it with analytics=on.\n';
    expect(await ask()).toMatchObject({ code: 1, notes });
    expect((await ask('--endpoint', 'http://localhost:3000')).notes).toMatch(/^A sandbox has no Athena/);
  });
});

const athena = { version: '1.1', service: 'AmazonAthena', namespace: 'com.amazonaws.athena' } as const;

/** Athena that runs a question for two requests, and answers it in two pages. */
const startAthena = async (
  end: object = { State: 'SUCCEEDED' },
  names = [['call_id', 'offered', 'share']],
  beginsEmpty = false,
) => {
  const requests: (readonly [string, unknown])[] = [];
  const seen = (name: string, answer: (count: number) => object) => (input: unknown) => {
    requests.push([name, input]);
    return result(athena, answer(requests.filter(([one]) => one === name).length));
  };
  const Statistics = { DataScannedInBytes: 12_300_000, TotalExecutionTimeInMillis: 2_140 };
  const row = (...texts: (string | undefined)[]) => ({
    Data: texts.map((text) => (text === undefined ? {} : { VarCharValue: text })),
  });
  const types = { call_id: 'varchar', offered: 'bigint', share: 'double' };
  const ColumnInfo = Object.entries(types).map(([Name, Type]) => ({ Name, Type }));
  const page = (Rows: object[], NextToken?: string) => ({
    NextToken,
    ResultSet: { Rows, ResultSetMetadata: { ColumnInfo } },
  });
  const first = [...names, ['12345678901234567890', '7', '0.5']].map((texts) => row(...texts));
  const handle = awsJson(athena, {
    StartQueryExecution: seen('start', () => ({ QueryExecutionId: 'q-1' })),
    GetQueryExecution: seen('look', (count) => ({
      QueryExecution: { Statistics, Status: count < 3 ? { State: count === 1 ? 'QUEUED' : 'RUNNING' } : end },
    })),
    GetQueryResults: seen('read', (count) => {
      const pages = [...(beginsEmpty ? [page([], 'more')] : []), page(first, 'more')];
      return pages[count - 1] ?? page([row(undefined, '9007199254740993', undefined)]);
    }),
    StopQueryExecution: seen('stop', () => ({})),
  });
  return { requests, query: await queryOf(handle) };
};

/** Runs the command on a deployment whose questions this Athena answers. */
const queryOf = async (handle: ReturnType<typeof awsJson>) => {
  const { client } = await serveForTest(handle);
  const analytics = { client: new AthenaClient(client), database: 'lake', workGroup: 'callfeed' };
  return (args: readonly string[], replaced: Replaced = {}) =>
    cli(['query', ...args], { clock, connect: async () => ({ ...stubDeployment(), analytics }), ...replaced });
};

describe('callfeed query of a deployment', () => {
  it('asks Athena, shows the progress, and says what was scanned and what that costs', async () => {
    const { requests, query } = await startAthena();
    const asked = await query(['--sql', 'SELECT 1', '--json']);

    expect(asked).toMatchObject({ code: 0, notes: '2 rows. 12.3 MB scanned in 2.1 s: $0.000062 at $5 a terabyte.\n' });
    expect(jsonLines(asked)).toEqual([
      { call_id: '12345678901234567890', offered: 7, share: 0.5 },
      { call_id: null, offered: '9007199254740993', share: null },
    ]);
    expect(asked.progress).toEqual(
      ['queued', 'running', 'succeeded'].map((state) => `Athena: ${state}, 12.3 MB scanned`),
    );
    expect(requests[0]).toMatchObject([
      'start',
      { QueryString: 'SELECT 1', WorkGroup: 'callfeed', QueryExecutionContext: { Database: 'lake' } },
    ]);
    expect(requests.at(-1)).toMatchObject(['read', { QueryExecutionId: 'q-1', NextToken: 'more' }]);
  });

  it('prints the first row of what is no SELECT, as Athena sends no names of columns for it', async () => {
    const { query } = await startAthena(undefined, []);
    const rows = jsonLines(await query(['--sql', 'SHOW PARTITIONS calls', '--json']));
    expect(rows).toMatchObject([{ call_id: '12345678901234567890' }, { call_id: null }]);
  });

  it('sends a question about its days', async () => {
    const { requests, query } = await startAthena();
    await query(['missed-calls', '--to', '2026-11-20']);
    const days = "BETWEEN CAST(DATE '2026-10-23' AS varchar) AND CAST(DATE '2026-11-20' AS varchar)";
    expect(requests[0]?.[1]).toMatchObject({ QueryString: expect.stringContaining(days) });
  });

  it.each([
    ['FAILED', 'rejected'],
    ['CANCELLED', 'cancelled'],
  ])('says why a question %s', async (State, word) => {
    const why = 'line 1:8: Column ‘x’ cannot be resolved';
    const { query } = await startAthena({ State, StateChangeReason: why });
    const notes = `Athena ${word} the question: ${why}\n`;
    expect(await query(['--sql', 'SELECT x'])).toMatchObject({ code: 1, output: '', notes });
  });

  it('stops a question in Athena when it is interrupted', async () => {
    const { requests, query } = await startAthena();
    const stop = new AbortController();
    const progress = () => stop.abort();
    const asked = await query(['--sql', 'SELECT 1'], { interruption: () => stop.signal, terminal: { progress } });
    expect(asked.code).toBe(1);
    expect(requests.map(([name]) => name)).toEqual(['start', 'look', 'stop']);
  });

  it('stops a question that it can no longer follow, and says where it cannot', async () => {
    const asked: string[] = [];
    const lost = (stop: () => ReturnType<typeof result>) =>
      queryOf(
        awsJson(athena, {
          StartQueryExecution: () => result(athena, { QueryExecutionId: 'q-1' }),
          GetQueryExecution: () => failure(athena, 500, 'InternalServerException', 'SENTINEL'),
          StopQueryExecution: (input: unknown) => asked.push(JSON.stringify(input)) > 0 && stop(),
        } as never),
      );
    const fault = failure(athena, 500, 'InternalServerException', 'SENTINEL');
    const stopped = await (await lost(() => result(athena, {})))(['--sql', 'SELECT 1']);
    const goesOn = await (await lost(() => fault))(['--sql', 'SELECT 1']);

    expect(asked).toEqual(Array(2).fill('{"QueryExecutionId":"q-1"}'));
    expect([stopped.code, goesOn.code, stopped.notes.includes('charge')]).toEqual([1, 1, false]);
    expect(goesOn.notes).toMatch(/Athena may go on with the question, and charge it\.\n$/);
  });

  it('reads an answer whose first page is empty', async () => {
    const { query } = await startAthena(undefined, undefined, true);
    expect(jsonLines(await query(['--sql', 'SELECT 1', '--json']))).toMatchObject([
      { call_id: '12345678901234567890' },
      { call_id: null },
    ]);
  });

  it('says that Athena denies access', async () => {
    const handle = awsJson(athena, {
      StartQueryExecution: () => failure(athena, 400, 'AccessDeniedException', 'You are not authorized'),
    });
    const { code, notes } = await (await queryOf(handle))(['--sql', 'SELECT 1']);
    expect([code, notes]).toEqual([1, expect.stringMatching(/^AWS denied access/)]);
  });
});
