import { describe, expect, it } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile, stubDeployment } from '../support/local-deployment.ts';
import { sentinel, startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at, json } = deployment;

describe('callfeed day', () => {
  const figures = (...args: readonly string[]) => json(['day', ...args]);
  const requests = async (...args: readonly string[]) => {
    const { notes } = await at(['day', ...args, '--verbose']);
    return notes.split('\n').flatMap((line) => /^\w+ on (?:agents|calls)(?:, index \w+)?/.exec(line)?.[0] ?? []);
  };

  it('has the figures of calls and agents, and why one is not known', async () => {
    const [past] = await figures('--date', '2026-11-20');
    expect(past).toMatchObject({ account: 'demo', day: '2026-11-20', calls: 5, offered: 5, answered: 5, missed: 0 });
    expect(past).not.toHaveProperty('talkTotalSeconds');
    expect(past?.['unknown']).toMatchObject({
      talkTotalSeconds: expect.stringMatching(/^No handled call has durationSeconds\b/),
      loggedInSeconds: expect.stringMatching(/^No interval is stored/),
    });

    // Agents log in at 15:30 in India, and stay over midnight.
    expect((await figures('--date', 'yesterday'))[0]).toMatchObject({
      day: '2026-11-21',
      agentsUpTo: '2026-11-21T18:30:00.000Z',
      calls: 1,
      offered: 0,
      handled: 1,
      loggedInSeconds: 122_400,
      handlingSeconds: 25_200,
      availableSeconds: 66_600,
      occupancy: 0.275,
      secondsByState: { ready: 66_600, 'in-call': 25_200, pause: 30_600 },
    });
    expect((await figures())[0]).toMatchObject({ agentsUpTo: '2026-11-22T09:00:15.000Z', calls: 0 });
  });

  it('groups by agent, also those who were only seen logged in and have left since', async () => {
    const rows = await figures('--date', 'yesterday', '--by', 'agent');
    const found = rows.slice(1).map(({ agent, calls, loggedInSeconds }) => `${agent} ${calls} ${loggedInSeconds}`);
    expect(found).toEqual(['asha 1 30600', 'ravi 1 30600', 'asha#2 0 30600', 'omar 0 30600']);

    // Omar left at 00:30.
    const today = await figures('--by', 'agent');
    expect(today.find(({ agent }) => agent === 'omar')).toMatchObject({ loggedInSeconds: 1_800, occupancy: 0 });
    expect(today.find(({ agent }) => agent === 'asha')).toMatchObject({
      secondsByState: { 'in-call': 1_800, acw: 36_000, ready: 10_815 },
    });
  });

  it('prints the large figures first, and then the table', async () => {
    const { output, notes } = await at(['day', '--date', '2026-11-20', '--by', 'hour']);
    expect(output).toMatch(
      /^demo on 2026-11-20 \(Asia\/Kolkata\)\n\nDAY +OFFERED +ANSWERED +SERVICE LEVEL, 20 S +ABANDONMENT +TIME/,
    );
    expect(output).toMatch(/\n2026-11-20 +5 +5 \(100 %\) +- +0 % +- +-\n2026-11-13 +0 +0 +- +- +- +-\n/);
    expect(output).toMatch(/\n\nHOUR +CALLS .*\n10:00 +5 +5 +5 +0 .*\n$/);
    // Of the day a week before, what had happened by the same time.
    const clock = () => new Date('2026-11-27T04:31:00.000Z');
    const later = await at(['day'], { clock });
    expect(later.output).toMatch(/\n2026-11-27 +0 .*\n2026-11-20 to 10:01 +1 /);
    const weekBefore = { day: '2026-11-20', offered: 1 };
    expect(jsonLines(await at(['day', '--json'], { clock }))[0]).toMatchObject({ weekBefore });
    expect(notes).toContain('5 calls read.\nWhere a figure is “-”: No answered call has timeToAnswerSeconds.\n');
    const whole = (await at(['day', '--date', 'yesterday'])).output;
    expect(whole).toMatch(/^Occupancy +28 %$[\s\S]*^ready +18h 30m 00s +54 %$/m);
    expect((await at(['day', '--account', 'nobody', '--time-zone', 'UTC'])).notes).toMatch(/Is the account spelt/);
  });

  it.each([
    ['in which clocks go forward', '2026-03-29T10:00+02:00', '2026-03-22T10:00+01:00'],
    ['a week after that', '2026-04-05T10:00+02:00', '2026-03-29T10:00+02:00'],
    ['a week after that, at a time that was skipped', '2026-04-05T02:30+02:00', '2026-03-29T03:30+02:00'],
    ['in which clocks go back', '2026-10-25T10:00+01:00', '2026-10-18T10:00+02:00'],
    ['in which clocks go back, in its last hour', '2026-10-25T23:30+01:00', '2026-10-18T23:30+02:00'],
    ['a week after that', '2026-11-01T10:00+01:00', '2026-10-25T10:00+01:00'],
  ])('compares a day %s up to the same local time: %s', async (_title, now, upTo) => {
    const [{ weekBefore } = {}] = await json(['day', '--time-zone', 'Europe/Berlin'], { clock: () => new Date(now) });
    expect(weekBefore).toMatchObject({ upTo: new Date(upTo).toISOString() });
  });

  it('prints CSV with one row for each group, and an empty cell for what is not known', async () => {
    const { output } = await at(['day', '--date', '2026-11-20', '--by', 'skill', '--csv']);
    const [header, group] = output.split('\r\n');
    expect(header?.replaceAll('Seconds', '')).toBe(
      '\uFEFFday,skill,calls,offered,answered,missed,abandoned,shortAbandoned,undecided,serviceLevel,abandonment,' +
        'timeToAnswerMedian,timeToAnswerAverage,timeToAnswerLongest,handled,talkMedian,talkAverage,talkTotal,holdMedian,' +
        'holdAverage,holdTotal,wrapUpMedian,wrapUpAverage,wrapUpTotal,handleMedian,handleAverage,answeredLate',
    );
    expect(group).toBe('2026-11-20,,5,5,5,0,0,0,0,,0,,,,5,,,,,,,,,,,,');
    const agents = (await at(['day', '--date', 'yesterday', '--by', 'agent', '--csv'])).output.split('\r\n');
    expect(agents[0]).toMatch(
      /^\uFEFFday,agent,calls,.*,handleAverageSeconds,loggedInSeconds,.*,occupancy,readySeconds,acwSeconds,.*,unknownSeconds,answeredLate$/,
    );
    expect(agents[1]).toMatch(/^2026-11-21,asha,1,0,.*,30600,25200,5400,0.824,5400,0,0,0,25200,0,0,0,0,0,0,0$/);
    const hours = (await at(['day', '--date', '2026-11-20', '--by', 'hour', '--csv'])).output.split('\r\n');
    expect(hours.slice(1)).toEqual([expect.stringMatching(/^2026-11-20,10:00,5,5,/), '']);
    for (const line of ['day --date yesterday --by campaign --csv', 'calls --csv'])
      expect((await at(line.split(' '))).output).not.toMatch(sentinel);
  });

  // The days have 5 calls, 1 and none; agents log in at 15:30 on the second one and stay over midnight.
  const period = ['day', '--from', '2026-11-20', '--to', '2026-11-22'];

  it('has a period by day, with the sum of agents’ time and the same weekdays before', async () => {
    const [all, ...days] = await json(period);
    expect(all).toMatchObject({ from: '2026-11-20', to: '2026-11-22', timeZone: 'Asia/Kolkata', calls: 6, offered: 5 });
    expect(all).toMatchObject({ weeksBefore: { from: '2026-11-13', to: '2026-11-15', weeks: 1, calls: 0 } });
    expect(days).toMatchObject([
      { by: 'day', day: '2026-11-20', calls: 5, unknown: { loggedInSeconds: expect.stringMatching(/^No interval/) } },
      { by: 'day', day: '2026-11-21', calls: 1, loggedInSeconds: 122_400, occupancy: 0.275 },
      { by: 'day', day: '2026-11-22', calls: 0 },
    ]);
    const [, , second, third] = [all, ...days].map((line) => Number(line?.['loggedInSeconds']));
    expect(all?.['loggedInSeconds']).toBe(Number(second) + Number(third));
    expect(Number(third)).toBeGreaterThan(0);
    const [, ...agents] = await json([...period, '--by', 'agent']);
    // 8:30 hours on the first of these days, half an hour on the next one.
    expect(agents.find(({ agent }) => agent === 'omar')).toMatchObject({ loggedInSeconds: 30_600 + 1_800 });
    const [, ...named] = await json([...period, '--by', 'agent', '--show-personal']);
    expect(named).toContainEqual(expect.objectContaining({ agent: 'asha', name: 'Asha Rao' }));
    expect(named).toContainEqual(expect.objectContaining({ agent: 'zoe', name: 'SENTINEL Zoe' }));
  });

  it('prints a period with its weekdays, and by hour the same hour of all days', async () => {
    const { output, notes } = await at(period);
    expect(output).toMatch(/^demo from 2026-11-20 to 2026-11-22 \(Asia\/Kolkata\)\n\nDAYS +OFFERED/);
    expect(output).toMatch(/\n2026-11-20 to 2026-11-22 +5 .*\n2026-11-13 to 2026-11-15 14:30 +0 /);
    expect(output).toMatch(/\nDAY +CALLS .*\n2026-11-20 Fri +5 .*\n2026-11-21 Sat +1 .*\n2026-11-22 Sun +0 .*\n$/);
    expect(notes).toContain('Agents’ time is of 2 of 3 days: of the others no interval is stored.');
    // Five of the first day and one of the second.
    expect((await at([...period, '--by', 'hour'])).output).toMatch(/\nHOUR +CALLS .*\n10:00 +6 .*\n$/);
    const csv = async (...by: readonly string[]) => (await at([...period, ...by, '--csv'])).output.split('\r\n');
    const [header, ...days] = await csv();
    expect(header).toMatch(/^\uFEFFday,calls,offered,.*,occupancy,readySeconds,/);
    expect(days.map((line) => line.slice(0, 15))).toEqual([
      '2026-11-20,5,5,',
      '2026-11-21,1,0,',
      '2026-11-22,0,0,',
      '',
    ]);
    expect(String(await csv('--by', 'campaign'))).toMatch(/^\uFEFFfrom,to,campaign,calls,.*,2026-11-20,2026-11-22,/);
  });

  it.each([
    ['', 'calls-by-day', 'SQL answers', { client: { send: () => undefined as never }, database: 'd', workGroup: 'w' }],
    ['--by agent', 'agents-by-day', 'With analytics (docs/analytics.md), SQL answers', undefined],
  ])('reads no row of a large period %s, and names the question %s', async (by, question, answers, analytics) => {
    const asked: string[] = [];
    // Pages of 20,000 calls, of which the 50,000th started on the fifth of the 20 days from the end.
    const start = (id: number) => new Date(Date.parse('2026-11-21T00:00:00Z') - id * 8_640).toISOString();
    const send = async (command: { readonly constructor: { readonly name: string }; readonly input: object }) => {
      asked.push(command.constructor.name);
      const from = Number(Object(command.input).ExclusiveStartKey?.pk.S ?? 1);
      const ids = Array.from({ length: 20_000 }, (_, index) => from + index);
      const key = (id: number) => ({ pk: { S: String(id) }, sk: { S: 'call' } });
      const items = ids.map((id) => ({ ...key(id), listedAt: { S: start(id) } }));
      return { Items: items, LastEvaluatedKey: key(from + 20_000) };
    };
    const connect = async () => ({ ...stubDeployment(), dynamodb: { send } as never, analytics });
    const line = `day --from 2026-11-01 --to 2026-11-20 ${by} --time-zone UTC --account demo --stack s`.split(/ +/);
    const { code, output, notes } = await at(line, { connect });

    expect([code, output]).toEqual([1, '']);
    expect(notes).toContain(
      '2026-11-01 to 2026-11-20 has more than 50,000 calls: so many have started since 2026-11-16T00:00:00+00:00 alone. ' +
        'Figures would read the row of every call, some 200,000, at a read unit or more each. No row was read. ' +
        `Ask for fewer days. ${answers} for any number of them:\n` +
        `  npx callfeed query ${question} --from 2026-11-01 --to 2026-11-20 --stack s`,
    );
    expect(asked).toEqual(['QueryCommand', 'QueryCommand', 'QueryCommand']);
  });

  it.each([
    ['more than 31 days', '--from 2026-10-22', /^A period has up to 31 days, and 2026-10-22 to 2026-11-22 has 32\./],
    ['no first day', '--to 2026-11-20', /^--to needs --from\./],
    ['an end before its beginning', '--from today --to yesterday', /^The period ends before it begins: 2026-11-22 to/],
    ['a day that has not begun', '--from today --to 2026-11-23', /^2026-11-23 has not begun in Asia\/Kolkata\./],
    ['a day besides', '--date today --from yesterday', /'--from <day>' cannot be used with option '--date <day>'/],
  ])('rejects a period with %s', async (_what, line, notes) => {
    expect(await at(['day', ...line.split(' ')])).toMatchObject({ code: 2, notes: expect.stringMatching(notes) });
  });

  it('reads only what the figures need', async () => {
    expect(await requests('--date', '2026-11-20', '--by', 'skill')).toEqual([
      'Query on calls, index byTime',
      'BatchGetItem on calls',
      'Query on calls, index byTime',
    ]);
    // A snapshot for each hour and at the end of the day, the agents of now, and a timeline for each of six agents.
    const ofAgents = await requests('--date', 'yesterday', '--by', 'agent');
    expect(ofAgents.filter((request) => request === 'Query on agents')).toHaveLength(25 + 1 + 6);
    expect(ofAgents.filter((request) => request === 'GetItem on agents')).toHaveLength(1);
    // Of three days as many snapshots, up to now: 24 + 24 + 15 and one at the end; and one timeline for each agent.
    const ofPeriod = await requests('--from', '2026-11-20', '--to', '2026-11-22', '--by', 'agent');
    expect(ofPeriod.filter((request) => request === 'Query on agents')).toHaveLength(64 + 1 + 6);
  });
});
