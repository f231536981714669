import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { consoleApi } from '../../../cli/console/api.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { ReconcileMessage } from '../../../functions/reconcile-calls/reconcile-calls.ts';
import { reconciliationRow } from '../../../functions/reconcile-calls/reconciliation.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { justBefore } from '../../../lib/core/time.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { call, postedValue } from '../../deployment/telephony.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { dynamodbOf, stubDeployment } from '../support/local-deployment.ts';

/** A day of an account, and when it begins and ends. */
interface Day {
  readonly day: string;
  readonly start: string;
  readonly end: string;
}

/** An instant at which the account's day is another one than that in UTC. */
interface Moment {
  readonly timeZone: string;
  readonly now: string;
  readonly today: Day;
  readonly yesterday: Day;
}

const moments: Readonly<Record<string, Moment>> = {
  'a minute after midnight in Kolkata': {
    timeZone: 'Asia/Kolkata',
    now: '2026-11-21T18:31:00.000Z',
    today: { day: '2026-11-22', start: '2026-11-21T18:30:00.000Z', end: '2026-11-22T18:29:59.999Z' },
    yesterday: { day: '2026-11-21', start: '2026-11-20T18:30:00.000Z', end: '2026-11-21T18:29:59.999Z' },
  },
  'a minute before midnight in New York': {
    timeZone: 'America/New_York',
    now: '2026-11-22T04:59:00.000Z',
    today: { day: '2026-11-21', start: '2026-11-21T05:00:00.000Z', end: '2026-11-22T04:59:59.999Z' },
    yesterday: { day: '2026-11-20', start: '2026-11-20T05:00:00.000Z', end: '2026-11-21T04:59:59.999Z' },
  },
};

/** A deployment with a call in the first and the last second of yesterday, one in the first second of today, and one before. */
const deploymentAt = async ({ timeZone, now, today, yesterday }: Moment) => {
  const accounts = [{ ...polledAccount, timeZone }] as const;
  const world = createMemoryWorld({ startedAt: now, accounts, accountsIn: 'environment' });
  const { receive } = world.start();
  const lastSecondBefore = (start: string) => new Date(Date.parse(start) - 1_000).toISOString();
  const starts = [lastSecondBefore(yesterday.start), yesterday.start, lastSecondBefore(today.start), today.start];
  for (const [id, StartTime] of starts.entries()) {
    const summary = call({ monitorUCID: String(id), StartTime, AgentID: 'asha' }).answered();
    await receive(httpApiEvent({ body: formOf(postedValue(summary)) }));
  }

  const dynamodb = dynamodbOf(world);
  const reconciled: (readonly string[] | undefined)[] = [];
  /** Reconciles at once. */
  const send = async ({ input }: { readonly input: { readonly MessageBody?: string } }) => {
    const message = ReconcileMessage.safeParse(JSON.parse(input.MessageBody ?? '{}')).data;
    if (message?.kind !== 'start') return {};
    const { days = [], run: id, account } = message;
    reconciled.push(days);
    const counts = { records: 0, calls: 0, known: 0, found: 0, completed: 0, unreadable: 0 };
    const lastRun = { id, isDryRun: true, endedAt: now, done: Object.fromEntries(days.map((day) => [day, counts])) };
    const row = reconciliationRow({ account, version: 1, requests: [], access: 0, days: {}, lastRun });
    await dynamodb.send(new PutItemCommand({ TableName: 'agents', Item: marshalled({ ...row }) }));
    return {};
  };
  const deployment: Deployment = {
    ...stubDeployment(),
    dynamodb,
    sqs: { send } as never,
    accounts: async () => accountIndex(accounts as never),
  };
  const clock = () => new Date(now);
  const run = (line: string) => cli(line.split(' '), { clock, connect: async () => deployment });
  const location = { stack: 'callfeed-prod' };
  const api = consoleApi({ deployment, clock, location, isPersonal: true });
  return {
    run,
    reconciled,
    today,
    yesterday,
    json: async (line: string) => jsonLines(await run(`${line} --json`)),
    ask: async (name: string, query: Readonly<Record<string, string>>) =>
      Object(await api.gets[name]?.(query, { signal: AbortSignal.abort() })),
  };
};

type Running = Awaited<ReturnType<typeof deploymentAt>>;
type Word = 'today' | 'yesterday';

const idsOf = (calls: readonly Readonly<Record<string, unknown>>[]) => calls.map(({ callId }) => callId);

/** What answers for a day, and what of its answer shows which day that was: its calls, its name, or its limits. */
const questions: Readonly<Record<string, readonly ['calls' | 'day' | 'range', (d: Running, day: Word) => unknown]>> = {
  'callfeed calls': ['calls', async (d, day) => idsOf(await d.json(`calls --day ${day}`))],
  'callfeed calls of an agent': ['calls', async (d, day) => idsOf(await d.json(`calls --agent asha --day ${day}`))],
  'callfeed day': ['day', async (d, day) => (await d.json(`day --date ${day}`))[0]?.['day']],
  'a period of callfeed day': ['day', async (d, day) => (await d.json(`day --from ${day} --to ${day}`))[0]?.['day']],
  'callfeed timeline': ['day', async (d, day) => (await d.json(`timeline asha --day ${day}`))[0]?.['day']],
  'callfeed unknown': [
    'range',
    async (d, day) => /from (?<start>\S+) to (?<end>\S+)\./.exec((await d.run(`unknown --day ${day}`)).notes)?.groups,
  ],
  'callfeed verify': [
    'range',
    async (d, day) =>
      (await d.json(`verify --no-report --day ${day}`)).map(({ from, to }) => ({ start: from, end: to }))[0],
  ],
  'the call report in callfeed verify': [
    'day',
    async (d, day) => (await d.json(`verify --day ${day}`)) && d.reconciled.flat().join(),
  ],
  'callfeed reconcile': [
    'day',
    async (d, day) => (await d.json(`reconcile --day ${day}`)) && d.reconciled.flat().join(),
  ],
  'calls of the console': ['calls', async (d, day) => idsOf((await d.ask('calls', { day })).calls)],
  'the file of the console': [
    'day',
    async (d, day) => /calls-(.+)\.csv/.exec((await d.ask('calls-csv', { day })).headers['content-disposition'])?.[1],
  ],
  'the bars of a range in the console': [
    'range',
    async (d, day) => {
      const { start, end } = await d.ask('quarters', { day: 'today', from: d[day].start, to: d[day].end });
      return { start, end: justBefore(end) };
    },
  ],
  'a day of the console': ['day', async (d, day) => (await d.ask('day', { day })).from],
  'a period of the console': ['day', async (d, day) => (await d.ask('day', { from: day, to: day })).to],
  'an agent’s day of the console': ['day', async (d, day) => (await d.ask('agent', { id: 'asha', day })).day],
};

describe.each(Object.entries(moments))('%s', (_title, moment) => {
  const calls = { today: ['3'], yesterday: ['2', '1'] };
  const expected = {
    calls: (word: Word) => calls[word],
    day: (word: Word) => moment[word].day,
    range: (word: Word) => ({ start: moment[word].start, end: moment[word].end }),
  };

  it.each(
    Object.entries(questions).flatMap(([name, [kind, ask]]) =>
      (['today', 'yesterday'] as const).map((word) => [name, word, kind, ask] as const),
    ),
  )('%s means the account’s %s', async (_name, word, kind, ask) => {
    expect(await ask(await deploymentAt(moment), word)).toEqual(expected[kind](word));
  });

  it('today and the days before are due in the call report', async () => {
    const d = await deploymentAt(moment);
    await d.run('reconcile');
    await d.run('reconcile --last 2');

    const [due = [], last] = d.reconciled;
    expect(due.slice(0, 2)).toEqual([moment.today.day, moment.yesterday.day]);
    expect(last).toEqual([moment.today.day, moment.yesterday.day]);
  });

  it('the week before is compared up to the same local time', async () => {
    const d = await deploymentAt(moment);
    const before = {
      day: new Date(Date.parse(moment.today.day) - 7 * 86_400_000).toISOString().slice(0, 10),
      upTo: new Date(Date.parse(moment.now) - 7 * 86_400_000).toISOString(),
    };

    expect((await d.json('day'))[0]).toMatchObject({ weekBefore: before });
    const { day, upTo } = before;
    expect(await d.ask('day', { day: 'today' })).toMatchObject({ weeksBefore: { from: day, to: day, weeks: 1, upTo } });
  });
});
