import { describe, expect, it } from 'vitest';
import type { PolledAccount } from '../../../lib/accounts/accounts.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import { deliveryOf } from '../../../lib/calls/merge-deliveries.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { callEventOf } from '../../../lib/publish/events-of-change.ts';
import type { ReportRequest } from '../../../lib/reconcile/call-report.ts';
import { dueDays, reportRateLimit } from '../../../lib/reconcile/reconciliation.ts';
import type { GetToken } from '../../../lib/telephony/service/token-cache.ts';
import { answer, noAnswer, type ServiceAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { keyedDelivery } from '../../support/call-records.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { type ReportRecord, reconciledCentre, reportOf } from '../../support/reconciled-centre.ts';

/** A record of the report, of a call with this id. */
const leg = (id: number, fields: ReportRecord = {}): ReportRecord => ({
  CallID: `4178${id}`,
  CallDate: '2026-11-20',
  StartTime: '09:00:00',
  EndTime: '09:05:00',
  Status: 'Answered',
  CallerID: '9876543210',
  AgentID: 'asha',
  Disposition: 'Sale',
  CallAudio: 'https://recordings.example/1.mp3',
  UCID: `51${id}`,
  ...fields,
});

const legs = (count: number, fields?: ReportRecord) =>
  Array.from({ length: count }, (_, index) => leg(index + 1, fields));

/** The callback about the same call. */
const callback = (id: number, fields: object = {}) =>
  keyedDelivery({
    monitorUCID: `4178${id}`,
    StartTime: '2026-11-20 09:00:00',
    EndTime: '2026-11-20 09:05:00',
    Status: 'Answered',
    CallerID: '9876543210',
    AgentID: 'asha',
    Disposition: 'Sale',
    AudioFile: 'https://recordings.example/1.mp3',
    ...fields,
  });

const dayOf = ({ body }: ReportRequest): string => JSON.parse(body).fromDate.slice(0, 10);

/** The most requests in any window of the limit, by the service's clock. */
const busiestWindow = (requests: readonly { readonly atMs: number }[]): number =>
  Math.max(
    0,
    ...requests.map(
      ({ atMs }) => requests.filter((one) => one.atMs >= atMs && one.atMs <= atMs + reportRateLimit.windowMs).length,
    ),
  );

const today = '2026-11-20';

describe('the first run', () => {
  it('reads fifteen days, the latest first, page by page, at two requests a minute', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(1_001), '2026-11-06': legs(1) }) });
    centre.post();
    await centre.settle();

    const read = centre.requests.map(({ request }) => [
      dayOf(request),
      new URL(request.url).searchParams.get('pageNo'),
    ]);
    expect(read.slice(0, 4)).toEqual([
      [today, '1'],
      [today, '2'],
      [today, '3'],
      ['2026-11-19', '1'],
    ]);
    expect(read).toHaveLength(17);
    expect(read.at(-1)).toEqual(['2026-11-06', '1']);
    expect(busiestWindow(centre.requests)).toBe(2);
    expect(centre.time.now() - Date.parse('2026-11-20T06:00:00.000Z')).toBeLessThan(9 * 60_000);
    expect(centre.records()).toHaveLength(1_001);
    const state = await centre.state();
    expect(state.days[today]).toMatchObject({ records: 1_001, calls: 1_001, found: 1_001, known: 0, unreadable: 0 });
    expect(Object.keys(state.days)).toHaveLength(15);
    expect(state).toMatchObject({ completedAt: expect.any(String), lastRun: { isDryRun: false } });
    expect(state.run).toBeUndefined();
  });

  it('reads pages until one is not full, if the service does not say how many records there are', async () => {
    const report = reportOf({ [today]: legs(501) });
    const centre = reconciledCentre({
      answer: (request) => {
        const page = report(request);
        return page.ok ? answer(JSON.parse(page.value.text).details) : page;
      },
    });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    expect([centre.requests.length, centre.records().length]).toEqual([2, 501]);
  });

  it('raises no alarm about callbacks that are missing', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(3) }) });
    centre.post();
    await centre.settle();
    expect(centre.telemetry.counts.ReportCallsFound).toBeUndefined();

    centre.answerBy(reportOf({ [today]: legs(5), '2026-11-18': [leg(9)] }));
    centre.post();
    await centre.settle();
    expect(centre.telemetry.counts).toMatchObject({ ReportCallsNew: 2, ReportCallsFound: 2 });

    // Six of these calls are known, and two pages are one reading.
    centre.time.advance(86_400_000);
    centre.answerBy(reportOf({ '2026-11-21': legs(501) }));
    centre.post();
    await centre.settle();
    expect(centre.telemetry.counts).toMatchObject({ ReportCallsNew: 2 + 501, ReportCallsFound: 2 + 495 });
  });
});

describe('later runs', () => {
  it('read the days that can still change, and those that were missed while nothing ran', async () => {
    const centre = reconciledCentre();
    centre.post();
    await centre.settle();
    const due = async () => dueDays(await centre.state(), 'Asia/Kolkata', centre.time.clock());

    expect(await due()).toEqual(['2026-11-20', '2026-11-19', '2026-11-18']);
    const { completedAt } = await centre.state();
    centre.post({ kind: 'start', account: 'demo', run: 'one day', days: [today] });
    await centre.settle();
    expect(await centre.state()).toMatchObject({ completedAt, lastRun: { id: 'one day' } });
    centre.time.advance(5 * 86_400_000);
    expect(await due()).toEqual([
      ...['2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22', '2026-11-21'],
      ...['2026-11-20', '2026-11-19', '2026-11-18'],
    ]);
  });

  it('read a day again that has shrunk, and remember how many records it had', async () => {
    const centre = reconciledCentre({ answer: reportOf({ '2026-11-10': legs(3) }) });
    centre.post();
    await centre.settle();
    centre.answerBy(reportOf({ '2026-11-10': legs(1) }));
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: ['2026-11-10'] });
    await centre.settle();

    expect((await centre.state()).days['2026-11-10']).toMatchObject({ records: 1, shrankFrom: 3 });
    expect(dueDays(await centre.state(), 'Asia/Kolkata', centre.time.clock())).toContain('2026-11-10');
    centre.answerBy(reportOf({ '2026-11-10': legs(3) }));
    centre.post();
    await centre.settle();
    expect((await centre.state()).days['2026-11-10']).not.toHaveProperty('shrankFrom');
  });
});

/** The row and the events of one call, after callbacks and a reading of the report. */
const reconciled = async (callbacks: readonly ReturnType<typeof callback>[], records: readonly ReportRecord[]) => {
  const centre = reconciledCentre({ answer: reportOf({ [today]: records }) });
  for (const { key, delivery } of callbacks)
    await centre.record(key, { ...delivery, receivedAt: '2026-11-20T05:00:00.000Z' }, generousDeadline());
  const written = centre.stream.length;
  centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
  await centre.settle();

  const events = centre.stream.map((change, index) => callEventOf({ sequence: String(index), ...change } as never));
  const details = events
    .filter((event) => event !== undefined)
    .map(({ type, detail }) => ({ type, ...detail }) as never);
  return {
    centre,
    writes: centre.stream.length - written,
    row: centre.rows()[0] ?? {},
    details,
    day: (await centre.state()).days[today],
  };
};

describe('a call of the report', () => {
  it('that no callback told of is stored and told once, with all its legs, and marked', async () => {
    const records = [
      leg(1),
      leg(1, { UCID: '519', AgentID: 'ravi', Status: 'Unanswered', Disposition: '', CallAudio: '' }),
    ];
    const { row, details, day } = await reconciled([], records);

    expect(row).toMatchObject({
      callId: '41781',
      source: 'report',
      revision: 1,
      status: 'answered',
      startedAt: '2026-11-20T03:30:00.000Z',
      agentIds: ['asha', 'ravi'],
      legs: [{ ucid: '511' }, { ucid: '519' }],
      recordings: ['https://recordings.example/1.mp3'],
      deliveries: [{ source: 'report' }, { source: 'report' }],
    });
    expect(row['notes']).toBeUndefined();
    expect(details).toMatchObject([{ type: 'Call Summary Recorded', source: 'report', revision: 1 }]);
    expect(day).toMatchObject({ records: 2, calls: 1, found: 1 });
  });

  it('that has an unknown word counts it once, however often the report is read', async () => {
    const { centre } = await reconciled([], [leg(1, { Status: 'Abandoned' })]);
    centre.post({ kind: 'start', account: 'demo', run: 'again', days: [today] });
    await centre.settle();

    expect(centre.telemetry.counts).toMatchObject({ RecordsWithUnknownWords: 1, UnknownStatus: 1 });
  });

  it('that is complete costs no write', async () => {
    const { writes, details, day } = await reconciled([callback(1)], [leg(1)]);

    expect([writes, details.length, day?.known]).toEqual([0, 1, 1]);
    expect(details[0]).not.toHaveProperty('source');
  });

  it.each<[string, object, ReportRecord, object]>([
    ['a disposition', { Disposition: '' }, {}, { dispositions: ['Sale'] }],
    ['the agent’s own disposition', { Disposition: 'Wrap up time exceeded' }, {}, { dispositions: ['Sale'] }],
    ['a recording', { AudioFile: '' }, {}, { recordings: ['https://recordings.example/1.mp3'] }],
    [
      'an answer',
      { Status: 'NotAnswered', AudioFile: '', Disposition: '' },
      {},
      { status: 'answered', dispositions: ['Sale'] },
    ],
    [
      'an answer with its agent and durations, but no other value,',
      {
        ...{ Status: 'NotAnswered', AudioFile: '', Disposition: 'Not interested', Skill: 'Support', Location: '' },
        ...{ CallDuration: '00:00:20', Duration: '00:00:00', HangupBy: 'UserHangup', CampaignName: 'A' },
      },
      {
        ...{ AgentID: 'ravi', Disposition: 'Sale', Skill: 'Sales', Location: 'Pune', CampaignName: 'B' },
        ...{ TalkTime: '00:04:00', Duration: '00:05:00', HangupBy: 'AgentHangup' },
      },
      {
        ...{
          status: 'answered',
          agentIds: ['ravi'],
          durationSeconds: 240,
          callDurationSeconds: 300,
          hangupBy: 'agent',
        },
        ...{ dispositions: ['Not interested'], skillName: 'Support', location: 'Pune', campaignName: 'A' },
        recordings: ['https://recordings.example/1.mp3'],
      },
    ],
    ['an end', { EndTime: '' }, {}, { endedAt: '2026-11-20T03:35:00.000Z' }],
  ])('adds %s that callbacks lack', async (_what, sent, record, expected) => {
    const { row, details, day } = await reconciled([callback(1, sent)], [leg(1, record)]);

    expect(row).toMatchObject({ revision: 2, ...expected });
    expect(row['source']).toBeUndefined();
    expect(details.map(({ type }) => type)).toEqual(['Call Summary Recorded', 'Call Summary Revised']);
    expect(day?.completed).toBe(1);
  });

  it.each<[string, ReportRecord]>([
    ['no answer', { Status: 'Unanswered', Disposition: '', CallAudio: '' }],
    ['another disposition', { Disposition: 'No sale' }],
    ['another agent’s number and nothing else', { CallerID: '5550000', Skill: '' }],
    ['what only the report has', { Rating: 5, TalkTime: '00:04:00', HoldDuration: '00:00:10' }],
  ])('never contradicts callbacks: %s', async (_what, record) => {
    const { writes, row } = await reconciled([callback(1)], [leg(1, record)]);

    expect([writes, row['revision']]).toEqual([0, 1]);
    expect(row).toMatchObject({ status: 'answered', dispositions: ['Sale'], customerNumber: '9876543210' });
  });

  it('keeps what the report told first, if its callback comes later', async () => {
    const { centre } = await reconciled([], [leg(1, { Rating: 5 })]);
    const { key, delivery } = callback(1, { Disposition: '', AudioFile: '' });
    await centre.record(key, { ...delivery, receivedAt: '2026-11-20T07:00:00.000Z' }, generousDeadline());

    const [row = {}] = centre.rows();
    expect(row).toMatchObject({ dispositions: ['Sale'], extra: { Rating: '5' }, ucid: '511' });
    expect(row['source']).toBeUndefined();
  });

  it('is one leg, whatever the report calls it, if callbacks have the call’s id as UCID', async () => {
    const { writes, row } = await reconciled([callback(1, { UCID: '41781' })], [leg(1, { UCID: '999', Rating: '5' })]);
    expect([writes, row['legs']]).toEqual([0, undefined]);
  });

  it('gets no write for what the report alone has of its legs', async () => {
    const both = [callback(1, { UCID: '511' }), callback(1, { UCID: '519', AgentID: 'ravi' })];
    const { writes } = await reconciled(both, [
      leg(1, { Rating: '4' }),
      leg(1, { UCID: '519', AgentID: 'ravi', Rating: '5' }),
    ]);
    expect(writes).toBe(0);
  });

  it('makes the same event again when it is replayed', async () => {
    const legsOfIt = [leg(1, { Skill: 'Sales' }), leg(1, { UCID: '519', AgentID: 'ravi', Location: 'Pune' })];
    const { centre, details, row } = await reconciled([callback(1)], legsOfIt);
    const replayedAt = '2026-11-21T00:00:00.000Z';
    const again = callEventOf({ sequence: '1', before: row, after: { ...row, replayedAt } });

    expect(details.map(({ revision }: { revision: number }) => revision)).toEqual([1, 2]);
    expect({ type: again?.type, ...again?.detail }).toEqual({ ...Object(details[1]), replayedAt });
    expect(centre.records()).toHaveLength(1);
  });

  it('is revised by its first callback, even by one that says nothing else', async () => {
    const { centre, row, details } = await reconciled([], [leg(1)]);
    const [asCallback] = recordOf(row).deliveries;
    const { key } = callback(1);
    const at = '2026-11-20T07:00:00.000Z';
    await centre.record(key, deliveryOf(asCallback?.facts ?? {}, { receivedAt: at, asSent: '' }), generousDeadline());
    const [after = {}] = centre.rows();

    expect(details).toMatchObject([{ source: 'report', revision: 1 }]);
    expect(callEventOf({ sequence: '1', before: row, after })?.detail).toMatchObject({
      revision: 2,
      changedFields: ['source'],
    });
    expect(after).not.toHaveProperty('source');
  });

  it('brings back nobody who was erased from it', async () => {
    const { key, delivery } = callback(1, { Disposition: '', AudioFile: '' });
    const centre = reconciledCentre({ answer: reportOf({ [today]: [leg(1)] }) });
    await centre.record(key, { ...delivery, erasedAt: '2026-11-20T05:30:00.000Z' }, generousDeadline());
    const written = centre.stream.length;
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    expect([centre.stream.length - written, (await centre.state()).days[today]?.known]).toEqual([0, 1]);
  });

  it('is left to a later reading while its callbacks may be on the way', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: [leg(1, { EndTime: '11:20:00' })] }) });
    const read = async (run: string) => {
      centre.post({ kind: 'start', account: 'demo', run, days: [today] });
      await centre.settle();
      return (await centre.state()).days[today];
    };

    expect(await read('ten minutes later')).toMatchObject({ records: 1, calls: 0, found: 0, unreadable: 0 });
    centre.time.advance(6 * 60_000);
    expect(await read('sixteen minutes later')).toMatchObject({ records: 1, calls: 1, found: 1 });
  });

  it('may lack its times, and cannot be stored if it is too large for a row', async () => {
    const times = { CallDate: '', StartTime: '', EndTime: '' };
    const { day } = await reconciled(
      [],
      [leg(1, times), leg(2, { EndTime: '' }), leg(3, { Comments: 'x'.repeat(500_000) })],
    );

    expect(day).toMatchObject({ calls: 3, found: 2, unreadable: 1 });
  });

  it('is counted once, if its legs are on several pages', async () => {
    const transferred = legs(620)
      .slice(0, 27)
      .map((first) => ({ ...first, UCID: `${first['UCID']}2`, CallType: 'Transfer' }));
    for (const isDryRun of [true, false]) {
      const centre = reconciledCentre({ answer: reportOf({ [today]: [...legs(620), ...transferred] }) });
      centre.post({ kind: 'start', account: 'demo', run: 'one day', days: [today], isDryRun });
      await centre.settle();

      expect((await centre.state()).lastRun?.done[today]).toMatchObject({ records: 647, calls: 620, found: 620 });
    }
  });

  it('cannot be stored without an id', async () => {
    const { centre, day } = await reconciled([], [leg(1, { CallID: '', UCID: '51777' }), leg(2)]);

    expect(day).toMatchObject({ records: 2, calls: 1, found: 1, unreadable: 1 });
    expect(centre.records()).toHaveLength(1);
  });
});

describe('a dry run', () => {
  it('counts what it would store, and writes no call and no day', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(2) }) });
    centre.post({ kind: 'start', account: 'demo', run: 'dry', days: [today], isDryRun: true });
    await centre.settle();

    const state = await centre.state();
    expect(state).toMatchObject({ days: {}, lastRun: { id: 'dry', done: { [today]: { found: 2 } } } });
    expect([state.completedAt, centre.records().length]).toEqual([undefined, 0]);
  });
});

describe('the queue', () => {
  it('may repeat messages, and the schedule may fire twice: one run, within the limit', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(2) }) });
    centre.post();
    centre.post();
    for (let steps = 0; steps < 400 && (await centre.step()); steps++) {
      const [next] = centre.queue;
      if (steps % 5 === 0 && next !== undefined) centre.queue.push(next);
    }
    await centre.settle();

    expect(centre.requests.length).toBeLessThan(30);
    expect(busiestWindow(centre.requests)).toBe(2);
    expect(centre.records().map(({ revision }) => revision)).toEqual([1, 1]);
  });

  it('drops a run once nobody waits for it: before it begins, for the limit, and after a failure', async () => {
    const until = '2026-11-20T06:01:00.000Z';
    const start = (changes: object = {}) =>
      ({ kind: 'start', account: 'demo', run: 'by hand', days: [today], isDryRun: true, until, ...changes }) as const;
    const late = reconciledCentre({ start: '2026-11-20T06:01:00.001Z' });
    late.post(start());
    await late.settle();
    const limited = reconciledCentre();
    limited.post(start({ days: [today, '2026-11-19', '2026-11-18'] }));
    await limited.settle();
    const { lastRun } = await limited.state();
    limited.post(start({ run: 'at once again' }));
    await limited.step();
    const failing = reconciledCentre({ answer: () => noAnswer('timeout') });
    failing.post(start());
    await failing.step();

    expect([late.requests.length, (await late.state()).version]).toEqual([0, 0]);
    expect(limited.requests).toHaveLength(2);
    expect(Object.keys(lastRun?.done ?? {})).toEqual([today, '2026-11-19']);
    expect((await limited.state()).lastRun).toMatchObject({ id: 'at once again', done: {} });
    expect(await failing.state()).toMatchObject({ lastRun: { id: 'by hand' }, problem: { reason: 'timeout' } });
    for (const centre of [late, limited, failing]) {
      expect(centre.queue).toEqual([]);
      expect((await centre.state()).run).toBeUndefined();
    }
  });

  it('lets a person’s start wait for the run that is under way', async () => {
    const centre = reconciledCentre();
    centre.post();
    await centre.step();
    await centre.step();
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    expect((await centre.state()).lastRun?.id).toBe('by hand');
    expect(centre.requests).toHaveLength(16);
  });

  it('lets only one of two functions go on that run at the same moment', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(2) }) });
    const start = (run: string) => centre.handle({ kind: 'start', account: 'demo', run, days: [today] });
    const outcomes = await Promise.allSettled([start('one'), start('other')]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(centre.requests).toHaveLength(1);
  });

  it('shows a message again that overtakes the step before it', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(600) }) });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.step();
    centre.queue.splice(0);
    centre.post({ kind: 'step', account: 'demo', run: 'by hand', step: 3 });
    await centre.step();
    expect(centre.queue).toHaveLength(1);

    centre.post({ kind: 'step', account: 'demo', run: 'by hand', step: 2 });
    await centre.settle();
    expect(centre.records()).toHaveLength(600);
  });

  it('ignores an account that is gone or not polled', async () => {
    const { baseUrl: _url, token: _token, ...silent } = kolkataAccount;
    const centre = reconciledCentre({ account: silent as PolledAccount });
    centre.post();
    centre.post({ kind: 'start', account: 'demo', run: '1' });
    centre.post({ kind: 'step', account: 'gone', run: '1', step: 1 });
    await centre.settle();

    expect(centre.requests).toEqual([]);
  });
});

describe('a crash at any point', () => {
  const days = { [today]: legs(3), '2026-11-19': [leg(7, { CallDate: '2026-11-19' })] };

  /** A reconciliation whose function crashes at the n-th effect, and once more at the m-th after that. */
  const crashing = async (...at: readonly number[]) => {
    let left = at[0] ?? Number.POSITIVE_INFINITY;
    const further = at.slice(1);
    let effects = 0;
    const centre = reconciledCentre({
      answer: reportOf(days),
      onEffect: () => {
        effects += 1;
        if (--left > 0) return;
        left = further.shift() ?? Number.POSITIVE_INFINITY;
        throw new Error('The process has crashed');
      },
    });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today, '2026-11-19'] });
    await centre.settle();
    return { centre, effects };
  };

  it('loses no call, tells each once, and keeps the limit', async () => {
    const whole = await crashing();
    const expected = whole.centre.records().map(({ key, facts }) => ({ key, facts }));
    expect(expected).toHaveLength(4);

    for (let at = 1; at <= whole.effects; at++)
      for (const again of [Number.POSITIVE_INFINITY, 3]) {
        const { centre } = await crashing(at, again);
        // What crashed before it began a run is begun again by the schedule.
        if ((await centre.state()).lastRun === undefined) centre.post();
        await centre.settle();

        expect(centre.records().map(({ key, facts }) => ({ key, facts }))).toEqual(expected);
        expect(centre.records().map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
        expect(busiestWindow(centre.requests)).toBeLessThanOrEqual(2);
      }
  });

  it('is taken over by the schedule, if the message is lost too', async () => {
    const centre = reconciledCentre({ answer: reportOf(days) });
    centre.post();
    for (let steps = 0; steps < 4; steps++) await centre.step();
    centre.queue.splice(0);

    centre.time.advance(10 * 60_000);
    centre.post();
    await centre.settle();
    expect((await centre.state()).lastRun).toBeUndefined();

    centre.time.advance(60 * 60_000);
    centre.post();
    await centre.settle();
    expect((await centre.state()).lastRun).toMatchObject({
      done: expect.objectContaining({ '2026-11-06': expect.anything() }),
    });
    expect(centre.records()).toHaveLength(4);
  });
});

describe('the kind of access', () => {
  const withToken: PolledAccount = { ...kolkataAccount, token: { kind: 'static', value: 'secret-token' } };
  const refused: ServiceAnswer = answer({ status: 'false', message: 'Missing userName or apiKey' }, 401);

  it.each<[string, (request: ReportRequest) => ServiceAnswer, PolledAccount, number]>([
    ['the key alone', reportOf({ [today]: [leg(1)] }), kolkataAccount, 1],
    [
      'the token for pages',
      (request) =>
        request.headers['Authorization'] === undefined ? refused : reportOf({ [today]: [leg(1)] })(request),
      withToken,
      2,
    ],
    [
      'the whole day with the key alone',
      (request) => {
        if (request.headers['Authorization'] !== undefined) return refused;
        if (request.url.includes('fetchCdrByPagination')) return answer('<html>Not Found</html>', 404);
        return answer([leg(1)]);
      },
      withToken,
      3,
    ],
  ])('is found by trying, and remembered: %s', async (_what, answer, account, tries) => {
    const centre = reconciledCentre({ account, answer });
    const start = (run: string) => centre.post({ kind: 'start', account: 'demo', run, days: [today] });
    start('first');
    await centre.settle();
    expect([centre.requests.length, centre.records().length]).toEqual([tries, 1]);

    start('second');
    await centre.settle();
    expect(centre.requests).toHaveLength(tries + 1);
  });

  const generated: PolledAccount = { ...kolkataAccount, token: { kind: 'generate' } };

  it('with a token that has expired is tried once more with a new one', async () => {
    const tokens = ['old'];
    const centre = reconciledCentre({
      account: generated,
      getToken: async (_account, rejected) => {
        if (rejected === 'old') tokens.push('new');
        return ok(tokens.at(-1));
      },
      answer: (request) =>
        request.headers['Authorization'] === 'Bearer new' ? reportOf({ [today]: [leg(1)] })(request) : refused,
    });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    expect(centre.requests.map(({ request }) => request.headers['Authorization'])).toEqual([
      undefined,
      'Bearer old',
      'Bearer new',
    ]);
    expect(centre.records()).toHaveLength(1);
  });

  it('with a token that cannot be generated is tried with the key alone only', async () => {
    const noToken: GetToken = async () => fail({ reason: 'no-token' });
    const centre = reconciledCentre({ account: generated, getToken: noToken, answer: () => refused });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    expect(centre.requests).toHaveLength(2);
    expect(await centre.state()).toMatchObject({ access: 0, problem: { reason: 'no-token' } });
  });

  it('is tried in every form before a run gives up, and the problem is named', async () => {
    const centre = reconciledCentre({ account: withToken, answer: () => refused });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    const state = await centre.state();
    expect(state.problem).toMatchObject({ reason: 'unauthorised' });
    expect(state.days).toEqual({});
    expect(
      new Set(centre.requests.map(({ request }) => `${request.url.split('?')[0]} ${request.headers['Authorization']}`))
        .size,
    ).toBe(4);
  });
});

describe('a service with odd pages', () => {
  const read = async (answer: (request: ReportRequest) => ServiceAnswer, days = [today]) => {
    const centre = reconciledCentre({ answer });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days });
    await centre.settle();
    return { centre, state: await centre.state() };
  };

  it('is not asked for ever, if it sends the same page again and again', async () => {
    const { centre, state } = await read(() => answer(legs(500)));
    expect([centre.requests.length, state.days[today]?.calls]).toEqual([2, 500]);
  });

  it('is asked for the next page, if its number of records is that of the page', async () => {
    const report = reportOf({ [today]: legs(700) });
    const { centre } = await read((request) => {
      const page = report(request);
      const { details } = JSON.parse(page.ok ? page.value.text : '{}');
      return answer({ status: 'success', totalCount: details.length, details });
    });
    expect([centre.requests.length, centre.records().length]).toEqual([2, 700]);
  });

  it('loses no other day for one that nobody can read, and tries every kind of access again', async () => {
    const report = reportOf({ [today]: [leg(1)], '2026-11-18': [leg(2)] });
    const { centre, state } = await read(
      (request) => (dayOf(request) === '2026-11-19' ? answer('<html>', 200) : report(request)),
      [today, '2026-11-19', '2026-11-18'],
    );
    expect(centre.records()).toHaveLength(2);
    expect(state).toMatchObject({ access: 0, problem: { reason: 'unexpected-answer' } });
    expect(Object.keys(state.days).toSorted()).toEqual(['2026-11-18', today]);
  });

  it('may have no list on a day without calls', async () => {
    const { state } = await read(() => answer({ status: 'success', totalCount: 0, details: null }));
    expect(state.days[today]).toMatchObject({ records: 0 });
  });
});

describe('a service that fails', () => {
  it('is asked less and less often, and after half an hour by the next schedule only', async () => {
    const centre = reconciledCentre({ answer: () => noAnswer('timeout') });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.settle();

    const gaps = centre.requests
      .slice(1)
      .map(({ atMs }, index) => Math.round((atMs - (centre.requests[index]?.atMs ?? 0)) / 60_000));
    expect(gaps).toEqual([1, 2, 4, 8, 15]);
    expect(await centre.state()).toMatchObject({ problem: { reason: 'timeout' }, days: {} });
    expect(centre.telemetry.counts).toMatchObject({ ReportRequestsFailed: 6 });
  });

  it('goes on where it stopped, once the service answers', async () => {
    const centre = reconciledCentre({ answer: reportOf({ [today]: legs(600) }) });
    centre.post({ kind: 'start', account: 'demo', run: 'by hand', days: [today] });
    await centre.step();
    centre.answerBy(() => answer({ status: 'error', message: 'Max limit exceeded' }));
    await centre.step();
    centre.answerBy(reportOf({ [today]: legs(600) }));
    await centre.settle();

    expect(centre.requests.map(({ request }) => new URL(request.url).searchParams.get('pageNo'))).toEqual([
      '1',
      '2',
      '2',
    ]);
    expect(centre.records()).toHaveLength(600);
  });
});
