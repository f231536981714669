import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { factsOfText } from '../../../cli/renormalise/renormalise-row.ts';
import { dueDays } from '../../../functions/reconcile-calls/due-days.ts';
import { reconciliationKey, reconciliationOf } from '../../../functions/reconcile-calls/reconciliation.ts';
import type { PolledAccount } from '../../../lib/accounts/accounts.ts';
import type { KeyedDelivery } from '../../../lib/callback/normalise-records.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import { deliveryOf } from '../../../lib/calls/merge-deliveries.ts';
import { decompressText } from '../../../lib/core/encoding.ts';
import { localDate } from '../../../lib/core/time.ts';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import { tokenKey } from '../../../lib/service/token-cache.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { answer, errorAnswer, noAnswer, reportOf, type ServiceAnswer, tokenAnswer } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { callEventOf } from '../../support/posted-records.ts';
import {
  busiestWindow,
  byHand,
  callback,
  dayOf,
  leg,
  legs,
  pageOf,
  type ReportRecord,
  reconciledCentre,
  today,
} from '../../support/reconciled-centre.ts';

describe('the first run', () => {
  it('reads fifteen days, the latest first, page by page, at two requests a minute', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(1_001), '2026-11-06': legs(1) }) });
    await centre.reconcile();

    const read = centre.service.requests('report').map((request) => [dayOf(request), pageOf(request)]);
    expect(read.slice(0, 4)).toEqual([
      [today, '1'],
      [today, '2'],
      [today, '3'],
      ['2026-11-19', '1'],
    ]);
    expect(read).toHaveLength(17);
    expect(read.at(-1)).toEqual(['2026-11-06', '1']);
    expect(busiestWindow(centre)).toBe(2);
    expect(Date.parse(centre.now()) - Date.parse('2026-11-20T06:00:00.000Z')).toBeLessThan(9 * 60_000);
    expect(await centre.records()).toHaveLength(1_001);
    const state = await centre.state();
    expect(state.days[today]).toMatchObject({ records: 1_001, calls: 1_001, found: 1_001, known: 0, unreadable: 0 });
    expect(Object.keys(state.days)).toHaveLength(15);
    expect(state).toMatchObject({ completedAt: expect.any(String), lastRun: { isDryRun: false } });
    expect(state.run).toBeUndefined();
    expect(await centre.rows('agents')).toMatchObject([
      { pk: 'demo#reconciliation', sk: 'reconciliation', kind: 'reconciliation' },
    ]);
  });

  it('raises no alarm about callbacks that are missing', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(3) }) });
    await centre.reconcile();
    expect(centre.metrics()['ReportCallsFound']).toBeUndefined();

    centre.answerBy(reportOf({ [today]: legs(5), '2026-11-19': [leg(8)], '2026-11-18': [leg(9)] }));
    await centre.reconcile();
    expect(centre.metrics()).toMatchObject({ ReportCallsNew: 3, ReportCallsFound: 3 });

    // Seven of these calls are known, and two pages are one reading.
    centre.advance(86_400_000);
    const tomorrow = '2026-11-21';
    centre.answerBy(reportOf({ [tomorrow]: legs(501) }));
    await centre.reconcile();
    expect(centre.metrics()).toMatchObject({ ReportCallsNew: 3 + 501, ReportCallsFound: 3 + 494 });
    const readings = centre.measured()['ReportCallsNew']?.length ?? 0;
    await centre.read('again', [tomorrow]);
    expect(centre.measured()['ReportCallsNew']).toHaveLength(readings + 1);
  });
});

it.each([
  ['Asia/Kolkata', '2026-11-21T18:31:00.000Z', ['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-08']],
  ['America/New_York', '2026-11-22T04:30:00.000Z', ['2026-11-21', '2026-11-20', '2026-11-19', '2026-11-07']],
] as const)(
  'counts calls that are new on the account’s today and yesterday, and keeps the days of its calendar, in %s too',
  async (timeZone, start, [present, yesterday, before, oldest]) => {
    const known = { [present]: [leg(1, { CallDate: present })] };
    const centre = await reconciledCentre({ account: { ...kolkataAccount, timeZone }, start, answer: reportOf(known) });
    await centre.reconcile();
    const dated = (id: number, day: string) => ({ [day]: [leg(id, { CallDate: day })] });
    centre.answerBy(reportOf({ ...known, ...dated(2, yesterday), ...dated(3, before) }));
    await centre.reconcile();

    expect(centre.metrics()).toMatchObject({ ReportCallsNew: 1, ReportCallsFound: 1 });
    const days = Object.keys((await centre.state()).days).toSorted();
    expect([days[0], days.length]).toEqual([oldest, 15]);
  },
);

describe('later runs', () => {
  it('read the days that can still change, and those that were missed while nothing ran', async () => {
    const centre = await reconciledCentre();
    await centre.reconcile();
    const due = async () => dueDays(await centre.state(), 'Asia/Kolkata', new Date(centre.now()));

    expect(await due()).toEqual(['2026-11-20', '2026-11-19', '2026-11-18']);
    const { completedAt } = await centre.state();
    centre.advance(60_000);
    expect(await centre.read('one day')).toMatchObject({ completedAt, lastRun: { id: 'one day' } });
    centre.advance(5 * 86_400_000);
    expect(await due()).toEqual([
      ...['2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22', '2026-11-21'],
      ...['2026-11-20', '2026-11-19', '2026-11-18'],
    ]);
    await centre.reconcile();
    expect(Object.keys((await centre.state()).days)).toHaveLength(15);
  });

  it.each([
    ['a millisecond before it was final', '2026-11-20T18:29:59.999Z', true],
    ['once it was final', '2026-11-20T18:30:00.000Z', false],
  ])('know whether to read a day again that was read %s', async (_what, start, isDue) => {
    const centre = await reconciledCentre({ start });
    const day = '2026-11-18';
    const state = await centre.read('by hand', [day]);
    centre.advance(1);

    expect(dueDays(state, 'Asia/Kolkata', new Date(centre.now())).includes(day)).toBe(isDue);
  });

  it('read a day again that has shrunk, and remember how many records it had', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ '2026-11-10': legs(3) }) });
    await centre.reconcile();
    centre.answerBy(reportOf({ '2026-11-10': legs(1) }));
    const state = await centre.read('by hand', ['2026-11-10']);

    expect(state.days['2026-11-10']).toMatchObject({ records: 1, shrankFrom: 3 });
    expect(dueDays(state, 'Asia/Kolkata', new Date(centre.now()))).toContain('2026-11-10');
    centre.answerBy(reportOf({ '2026-11-10': legs(3) }));
    await centre.reconcile();
    expect((await centre.state()).days['2026-11-10']).not.toHaveProperty('shrankFrom');
  });
});

/** The row and the events of one call, after callbacks and a reading of the report. */
const reconciled = async (callbacks: readonly KeyedDelivery[], records: readonly object[]) => {
  const centre = await reconciledCentre({ answer: reportOf({ [today]: records }) });
  for (const one of callbacks) await centre.record(one, { receivedAt: '2026-11-20T05:00:00.000Z' });
  const written = centre.writes();
  const { days } = await centre.read();

  await centre.settled();
  return {
    centre,
    writes: centre.writes() - written,
    row: (await centre.row('41781')) ?? {},
    details: centre.published().map(({ type, detail }) => ({ type, ...detail })),
    day: days[today],
  };
};

const signed = (date: number) => `https://recordings.example/1.mp3?sv=2024-11-04&se=${date}&sig=s${date}`;

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
    expect([row['notes'], Object(row['deliveries'])[0].day]).toEqual([undefined, undefined]);
    expect(details).toMatchObject([{ type: 'Call Summary Recorded', source: 'report', revision: 1 }]);
    const counts = { records: 2, calls: 1, found: 1, known: 0, completed: 0, unreadable: 0 };
    expect(day).toEqual({ ...counts, readAt: expect.any(String) });
  });

  const sale = { dispositions: ['Sale'] };
  const recordings = ['https://recordings.example/1.mp3'];
  const missed = { Status: 'NotAnswered', AudioFile: '', Disposition: '' };
  it.each<[string, sent: object, legs: readonly ReportRecord[], expected: object]>([
    ['a disposition', { Disposition: '' }, [{}], sale],
    ['the agent’s own disposition', { Disposition: 'Wrap up time exceeded' }, [{}], sale],
    ['a recording', { AudioFile: '' }, [{}], { recordings }],
    [
      'recordings from a list with a gap',
      { AudioFile: '' },
      [{ CallAudio: `${recordings[0]},,https://recordings.example/b.mp3` }],
      { recordings: [...recordings, 'https://recordings.example/b.mp3'] },
    ],
    ['an answer', missed, [{}], { status: 'answered', ...sale }],
    [
      'an answer with its agent and durations, but no other value,',
      {
        ...missed,
        Disposition: 'Not interested',
        Skill: 'Support',
        Location: '',
        CallDuration: '00:00:20',
        Duration: '00:00:00',
        HangupBy: 'UserHangup',
        CampaignName: 'A',
      },
      [
        {
          AgentID: 'ravi',
          Disposition: 'Sale',
          Skill: 'Sales',
          Location: 'Pune',
          CampaignName: 'B',
          TalkTime: '00:04:00',
          Duration: '00:05:00',
          HangupBy: 'AgentHangup',
        },
      ],
      {
        status: 'answered',
        agentIds: ['ravi'],
        durationSeconds: 240,
        callDurationSeconds: 300,
        dispositions: ['Not interested'],
        skillName: 'Support',
        location: 'Pune',
        campaignName: 'A',
        hangupBy: 'agent',
        recordings,
      },
    ],
    ['an end', { EndTime: '' }, [{}], { endedAt: '2026-11-20T03:35:00.000Z' }],
    ['a leg', {}, [{ Skill: 'Sales' }, { UCID: '519', AgentID: 'ravi', Location: 'Pune' }], { location: 'Pune' }],
  ])('adds %s that callbacks lack, by one event that a replay repeats', async (_what, sent, legs, expected) => {
    const reported = legs.map((one) => leg(1, one));
    const { centre, row, details, day } = await reconciled([callback(1, sent)], reported);
    const replayedAt = '2026-11-21T00:00:00.000Z';
    const again = callEventOf({ sequence: '1', before: row, after: { ...row, replayedAt } });

    expect(row).toMatchObject({ revision: 2, ...expected });
    expect(row['source']).toBeUndefined();
    expect(details.map(({ type }) => type)).toEqual(['Call Summary Recorded', 'Call Summary Revised']);
    expect({ type: again?.type, ...again?.detail }).toEqual({ ...details[1], replayedAt });
    expect(day?.completed).toBe(1);
    expect(centre.metrics('reconcile-calls')).toMatchObject({ EventsPublished: 0 });
    expect((await centre.read('again')).days[today]).toMatchObject({ known: 1, completed: 1 });
  });

  it.each<[string, sent: readonly object[], legs: readonly ReportRecord[]]>([
    ['what is complete', [{}], [{}]],
    ['no answer', [{}], [{ Status: 'Unanswered', Disposition: '', CallAudio: '' }]],
    ['another disposition', [{}], [{ Disposition: 'No sale' }]],
    ['another agent’s number and nothing else', [{}], [{ CallerID: '5550000', Skill: '' }]],
    ['the report’s own', [{}], [{ Rating: 5, TalkTime: '00:04:00', HoldDuration: '00:00:10', DataUniqueId: '7' }]],
    ['a value that nobody can read', [{}], [{ HoldDuration: 'long' }]],
    ['a word in place of a link', [{}], [{ CallAudio: 'No Recording' }]],
    ['a link that was only signed again', [{ AudioFile: signed(1) }], [{ CallAudio: signed(2) }]],
    ['another name of its only leg', [{ UCID: '41781' }], [{ UCID: '999', Rating: '5' }]],
    [
      'more of each leg',
      [{ UCID: '511' }, { UCID: '519', AgentID: 'ravi' }],
      [{ Rating: '4' }, { UCID: '519', AgentID: 'ravi', Rating: '5' }],
    ],
  ])('gets no write for %s, and contradicts no callback', async (_what, sent, legs) => {
    const callbacks = sent.map((fields) => callback(1, fields));
    const { centre, writes, row, details, day } = await reconciled(
      callbacks,
      legs.map((one) => leg(1, one)),
    );

    expect([writes, row['revision'], details.length, day?.known]).toEqual([0, sent.length, sent.length, 1]);
    expect(row).toMatchObject({ status: 'answered', dispositions: ['Sale'], customerNumber: '9876543210' });
    expect(row['recordings']).toEqual([Object(sent[0]).AudioFile ?? recordings[0]]);
    expect([Object(row['legs']).length, details[0]]).toEqual([
      sent[1] && 2,
      expect.not.objectContaining({ source: 1 }),
    ]);
    expect(centre.metrics('reconcile-calls')).not.toHaveProperty('EventsPublished');
  });

  it.each<[string, callback: object, row: object]>([
    ['says nothing else', {}, {}],
    ['says less', { Disposition: '', AudioFile: '' }, { ...sale, recordings }],
  ])('is revised by its first callback, which %s', async (_what, sent, expected) => {
    const { centre, row, details } = await reconciled([], [leg(1, { Rating: 5 })]);
    await centre.record(callback(1, sent), { receivedAt: '2026-11-20T07:00:00.000Z' });
    const after = (await centre.row('41781')) ?? {};

    expect(details).toMatchObject([{ source: 'report', revision: 1 }]);
    const revised = { revision: 2, changedFields: ['source'] };
    expect(callEventOf({ sequence: '1', before: row, after })?.detail).toMatchObject(revised);
    expect(after).toMatchObject({ extra: { Rating: '5' }, ucid: '511', ...expected });
    expect(after).not.toHaveProperty('source');
  });

  /** Nobody may have sent such times for a call before: the report has it on the day that was asked for, 20 November. */
  const undated: readonly (readonly [what: string, fields: ReportRecord, startedAt: string, listedAt: string])[] = [
    ['a start that is blank', { StartTime: '', PickupTime: '09:00:20' }, '-', '03:35:00'],
    ['a pick-up alone', { StartTime: '', EndTime: '', PickupTime: '09:00:20' }, '-', '03:30:20'],
    ['an end alone', { StartTime: '', PickupTime: '' }, '-', '03:35:00'],
    ['an end as an instant alone', { StartTime: '', EndTime: '2026-11-20T03:35:00Z', PickupTime: '' }, '-', '03:35:00'],
    ['no time at all', { StartTime: '', EndTime: '', PickupTime: '' }, '-', '18:30:00'],
    ['no time and no date', { CallDate: '', StartTime: 'None', EndTime: '-' }, '-', '18:30:00'],
    ['no date', { CallDate: null }, '03:30:00', '03:30:00'],
    ['a date that was never set', { CallDate: '0000-00-00' }, '03:30:00', '03:30:00'],
    ['a date with a time', { CallDate: '2026-11-20 00:00:00' }, '03:30:00', '03:30:00'],
    ['a date as an instant in UTC', { CallDate: '2026-11-19T18:30:00.000Z' }, '03:30:00', '03:30:00'],
    ['a date as midnight in UTC', { CallDate: '2026-11-20T00:00:00Z' }, '03:30:00', '03:30:00'],
    ['a date with the day first', { CallDate: '20-11-2026' }, '03:30:00', '03:30:00'],
    ['an hour of one digit', { StartTime: '9:05:09', EndTime: '9:07:09' }, '03:35:09', '03:35:09'],
    ['fractions of seconds', { StartTime: '10:00:00.0', EndTime: '10:02:00.0' }, '04:30:00', '04:30:00'],
    ['a start never set', { StartTime: '1970-01-01 05:30:00', EndTime: '0000-00-00 00:00:00' }, '-', '18:30:00'],
  ];

  it.each(undated)('counts on its day, with %s', async (_what, fields, startedAt, listedAt) => {
    const start = '2026-11-24T06:00:00.000Z';
    const centre = await reconciledCentre({ start, answer: reportOf({ [today]: [leg(1, fields)] }) });
    await centre.read();
    await centre.settled();
    const row = (await centre.row('41781')) ?? {};
    const detail = centre.published()[0]?.detail;
    const days = [row['listedAt'], Object(detail).occurredAt].map((at) => localDate(String(at), 'Asia/Kolkata'));
    const [stored] = recordOf(row).deliveries;
    const text = decompressText(stored?.asSent ?? '');
    const again = stored && deliveryOf(factsOfText('call', { ...stored, text }, kolkataAccount) ?? {}, stored);

    expect(days).toEqual([today, today]);
    expect([row['startedAt'] ?? '-', row['listedAt']].map((at) => String(at).slice(11, 19) || '-')).toEqual([
      startedAt,
      listedAt,
    ]);
    expect(row['notes'] ?? []).toEqual(
      'approximateAt' in row ? expect.arrayContaining([{ field: 'approximateAt', reason: 'approximate-time' }]) : [],
    );
    expect(again?.id).toBe(stored?.id);
    // The id is a hash of what the delivery says.
    expect('approximateAt' in (stored?.facts ?? {})).toBe('approximateAt' in row);
  });

  it('counts on the day of the report, with a date that could be of two', async () => {
    const day = '2026-11-12';
    const centre = await reconciledCentre({ answer: reportOf({ [day]: [leg(1, { CallDate: '11-12-2026' })] }) });
    await centre.read('by hand', [day]);

    expect(await centre.row('41781')).toMatchObject({ startedAt: '2026-11-12T03:30:00.000Z' });
  });

  it.each([
    ['2026-11-24T06:00:00.000Z', 1],
    // After midnight in the account’s zone, also where the account had another one then.
    ['2026-11-19T18:30:00.000Z', undefined],
    ['2026-11-20T02:00:00.000Z', undefined, 'America/New_York'],
  ])(
    'that was stored as of its reading at %s moves to its own time, and the counts say: %s to another day',
    async (receivedAt, moved, timeZone = 'Asia/Kolkata') => {
      const start = '2026-11-24T06:00:00.000Z';
      const centre = await reconciledCentre({ start, answer: reportOf({ [today]: [leg(1)] }) });
      const { key, delivery } = callback(1, { StartTime: '', EndTime: '' });
      const facts = { ...delivery.facts, timeZone };
      await centre.record({ key, delivery }, { source: 'report', receivedAt, facts });
      await centre.reconcile({ ...byHand, run: 'dry', isDryRun: true });
      const { lastRun } = await centre.state();
      await centre.read();

      expect(lastRun?.done[today]).toMatchObject({ found: 0, completed: 1 });
      expect(lastRun?.done[today]?.moved).toBe(moved);
      expect(await centre.row('41781')).toMatchObject({ revision: 2, listedAt: '2026-11-20T03:30:00.000Z' });
      expect((await centre.read('again')).lastRun?.done[today]).not.toHaveProperty('moved');
    },
  );

  it('has the callback secret neither in its row nor in what was sent', async () => {
    const secret = '0123456789-secret';
    const CallAudio = `https://x.example/${secret}/1.mp3`;
    const centre = await reconciledCentre({ secret, answer: reportOf({ [today]: [leg(1, { CallAudio })] }) });
    await centre.read();
    const texts = (await centre.records()).flatMap(({ facts, deliveries }) => [
      JSON.stringify(facts),
      ...deliveries.map(({ asSent }) => decompressText(asSent)),
    ]);

    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text.replace(secret, 'SECRET')).toContain('https://x.example/***/1.mp3');
  });

  it('brings back nobody who was erased from it', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: [leg(1)] }) });
    await centre.record(callback(1, { Disposition: '', AudioFile: '' }), { erasedAt: '2026-11-20T05:30:00.000Z' });
    const written = centre.writes();
    const { days } = await centre.read();

    expect([centre.writes() - written, days[today]?.known]).toEqual([0, 1]);
  });

  it.each<[string, ReportRecord]>([
    ['its end', { EndTime: '11:20:00' }],
    ['its pick-up, which is all that it has', { StartTime: '', EndTime: '', PickupTime: '11:20:00' }],
  ])('is left to a later reading while its callbacks may be on the way, by %s', async (_what, fields) => {
    const records = [leg(1, { EndTime: '11:10:00' }), leg(1, { UCID: '519', ...fields })];
    const centre = await reconciledCentre({ answer: reportOf({ [today]: records }) });
    const read = async (run: string) => (await centre.read(run)).days[today];

    expect(await read('ten minutes later')).toMatchObject({ records: 2, calls: 0, found: 0, unreadable: 0 });
    centre.advance(5 * 60_000);
    expect(await read('fifteen minutes later')).toMatchObject({ records: 2, calls: 1, found: 1 });
  });

  it.each<[string, records: readonly object[], day: object]>([
    [
      'its times',
      [leg(1, { CallDate: '', StartTime: '', EndTime: '' }), leg(2, { EndTime: '' })],
      { calls: 2, found: 2 },
    ],
    ['a place in a row', [leg(3, { Comments: 'x'.repeat(500_000) })], { calls: 1, found: 0, unreadable: 1 }],
    ['an id, or is no record', [leg(1, { CallID: '', UCID: '51777' }), ['odd'], leg(2)], { found: 1, unreadable: 2 }],
    ['digits, as they were rounded', [leg(1, { CallID: '4.17812E+16' })], { records: 1, found: 0, unreadable: 1 }],
    ['no digits, though a program made a number of them', [leg(1, { CallID: '4.1781E4' })], { known: 1, found: 0 }],
  ])('can be stored or not if it lacks %s', async (_what, records, expected) => {
    const callbacks = 'known' in expected ? [callback(1)] : [];
    const { centre, day } = await reconciled(callbacks, records);

    expect(day).toMatchObject({ records: records.length, ...expected });
    expect(await centre.records()).toHaveLength(Number(day?.found) + callbacks.length);
  });

  it('is counted once, if its legs are on several pages', async () => {
    const transferred = legs(620)
      .slice(0, 27)
      .map((first) => ({ ...first, UCID: `${first['UCID']}2`, CallType: 'Transfer' }));
    for (const isDryRun of [true, false]) {
      const centre = await reconciledCentre({ answer: reportOf({ [today]: [...legs(620), ...transferred] }) });
      centre.reconciliation.send({ ...byHand, isDryRun });
      await centre.reconciliation.step();
      const { run } = await centre.state();
      await centre.reconciliation.rest();

      expect(run?.counted).toEqual(Array.from({ length: 500 }, () => expect.stringMatching(/^.{10}$/)));
      expect((await centre.state()).lastRun?.done[today]).toMatchObject({ records: 647, calls: 620, found: 620 });
    }
  });

  it('is remembered from page to page, if it is one of the last two thousand of the day', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(2_600) }) });
    centre.reconciliation.send({ ...byHand, isDryRun: true });
    for (let page = 1; page <= 5; page++) await centre.reconciliation.step();

    expect((await centre.state()).run?.counted).toHaveLength(2_000);
  });
});

describe('a dry run', () => {
  it('counts what it would store, and writes no call and no day', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(4) }) });
    for (const one of [callback(1), callback(2, { Disposition: '' })])
      await centre.record(one, { receivedAt: '2026-11-20T05:00:00.000Z' });
    const written = centre.writes();
    await centre.reconcile({ kind: 'start', account: 'demo', run: 'dry', isDryRun: true });

    const state = await centre.state();
    const done = { [today]: { found: 2, known: 1, completed: 1 } };
    expect(state).toMatchObject({ lastRun: { id: 'dry', done } });
    expect([state.days, state.completedAt, centre.writes() - written]).toEqual([{}, undefined, 0]);
    expect(centre.metrics()).toEqual({});
  });
});

describe('the queue', () => {
  it('may repeat messages, and the schedule may fire twice: one run, within the limit', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(2) }) });
    centre.reconciliation.send({ kind: 'all' });
    centre.reconciliation.send({ kind: 'all' });
    for (let steps = 0; steps < 400 && (await centre.reconciliation.step()); steps++) {
      const [next] = centre.reconciliation.messages();
      if (steps % 5 === 0 && next !== undefined) centre.reconciliation.send(next);
    }
    await centre.reconciliation.rest();

    expect(centre.service.requests('report').length).toBeLessThan(30);
    expect(busiestWindow(centre)).toBe(2);
    expect((await centre.records()).map(({ revision }) => revision)).toEqual([1, 1]);
  });

  it('drops a run once nobody waits for it: before it begins, for the limit, and after a failure', async () => {
    const until = '2026-11-20T06:01:00.000Z';
    const start = (changes: object = {}) => ({ ...byHand, isDryRun: true, until, ...changes }) as const;
    const late = await reconciledCentre({ start: '2026-11-20T06:01:00.001Z' });
    late.reconciliation.send(start());
    await late.reconciliation.rest();
    const limited = await reconciledCentre();
    limited.reconciliation.send(start({ days: [today, '2026-11-19', '2026-11-18'] }));
    await limited.reconciliation.rest();
    const { lastRun } = await limited.state();
    limited.reconciliation.send(start({ run: 'at once again' }));
    await limited.reconciliation.step();
    const failing = await reconciledCentre({ answer: () => noAnswer('timeout') });
    failing.reconciliation.send(start());
    await failing.reconciliation.step();

    expect([late.service.requests('report').length, (await late.state()).version]).toEqual([0, 0]);
    expect(limited.service.requests('report')).toHaveLength(2);
    expect(Object.keys(lastRun?.done ?? {})).toEqual([today, '2026-11-19']);
    expect((await limited.state()).lastRun).toMatchObject({ id: 'at once again', done: {} });
    expect(await failing.state()).toMatchObject({ lastRun: { id: 'by hand' }, problem: { reason: 'timeout' } });
    for (const centre of [late, limited, failing]) {
      expect(centre.reconciliation.messages()).toEqual([]);
      expect((await centre.state()).run).toBeUndefined();
    }
  });

  it('lets a person’s start wait for the run that is under way', async () => {
    const centre = await reconciledCentre();
    centre.reconciliation.send({ kind: 'all' });
    await centre.reconciliation.step();
    await centre.reconciliation.step();

    expect((await centre.read()).lastRun?.id).toBe('by hand');
    expect(centre.service.requests('report')).toHaveLength(16);
  });

  it('lets only one of two functions go on that run at the same moment', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(2) }) });
    const start = async (run: string) => {
      const body = JSON.stringify({ ...byHand, run });
      const outcome = await centre.startAnother().reconcile({ Records: [{ messageId: run, body }] } as SQSEvent);
      return Object(outcome).answer.batchItemFailures;
    };
    const outcomes: unknown[] = [];
    const other = async (write: number) => write === 0 && outcomes.push(await start('other'));
    const one = await centre.before('dynamodb', { operation: 'PutItem' }, other).during(() => start('one'));

    expect([one, outcomes]).toEqual([[{ itemIdentifier: 'one' }], [[]]]);
    expect(centre.service.requests('report')).toHaveLength(1);
    expect(centre.logs()).toMatchObject([{ detail: 'Another run reconciles this account at the same time' }]);
  });

  it('repeats no step and no run that is done, and shows a message again that overtakes the step before it', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(600) }) });
    const step = (number: number) => ({ kind: 'step', account: 'demo', run: 'by hand', step: number }) as const;
    centre.reconciliation.send(byHand);
    await centre.reconciliation.step();
    for (const number of [1, 3]) {
      centre.reconciliation.send(step(number));
      await centre.reconciliation.step();
    }
    expect(centre.service.requests('report')).toHaveLength(1);
    expect(centre.reconciliation.messages()).toHaveLength(2);
    expect(centre.logs()).toMatchObject([{ detail: 'The step before this one is not written yet' }]);

    await centre.reconcile(step(2));
    await centre.reconcile(byHand, step(1));
    expect(await centre.records()).toHaveLength(600);
    expect(centre.service.requests('report')).toHaveLength(2);
    expect(centre.deadLetters()).toEqual([]);
  });

  it('ignores an account that is gone or not polled', async () => {
    const { baseUrl: _url, token: _token, ...silent } = kolkataAccount;
    const centre = await reconciledCentre({ account: silent as PolledAccount });
    centre.reconciliation.send({ kind: 'all' });
    await centre.reconciliation.step();
    expect(centre.reconciliation.messages()).toEqual([]);

    centre.reconciliation.send({ kind: 'start', account: 'demo', run: '1' });
    await centre.reconcile({ kind: 'step', account: 'gone', run: '1', step: 1 });
    expect([centre.service.requests('report'), centre.deadLetters()]).toEqual([[], []]);
  });
});

describe('a crash at any point', () => {
  const days = { [today]: legs(3), '2026-11-19': [leg(7, { CallDate: '2026-11-19' })] };

  const parts = ['dynamodb', 'sqs', 'secrets', 'telephony'] as const;

  /** A reconciliation whose function crashes at a call, and once more at the third call after that. */
  const crashing = async (kind: 'crash-before' | 'crash-after', after: number, isAgain: boolean) => {
    const centre = await reconciledCentre({ answer: reportOf(days) });
    const crash = (at: number, act: () => Promise<unknown>) =>
      centre.fail(parts, { kind, after: at, times: 1 }).during(act);
    const run = () => centre.read('by hand', [today, '2026-11-19']);
    await crash(after, () => (isAgain ? crash(after + 3, run) : run()));
    // What crashed before it began a run is begun again by the schedule.
    if ((await centre.state()).lastRun === undefined) await centre.reconcile();
    return centre;
  };
  const told = async (centre: Awaited<ReturnType<typeof crashing>>) =>
    (await centre.records()).map(({ key, facts, revision }) => ({ key, facts, revision }));
  const found = async (centre: Awaited<ReturnType<typeof crashing>>) => {
    const read = (await centre.state()).days;
    return Object.keys(days).map((day) => [read[day]?.found, read[day]?.known]);
  };

  it('loses no call, tells and counts each once, and keeps the limit', async () => {
    const whole = await crashing('crash-before', Number.POSITIVE_INFINITY, false);
    const expected = await told(whole);
    expect(expected.map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
    expect(await found(whole)).toEqual([
      [3, 0],
      [1, 0],
    ]);
    const calls = whole.operations().length;
    expect(calls).toBeGreaterThan(15);

    for (let at = 0; at < calls; at++)
      for (const [kind, isAgain] of [
        ['crash-before', false],
        ['crash-after', false],
        ['crash-after', true],
      ] as const) {
        const centre = await crashing(kind, at, isAgain);

        expect(await told(centre), `${kind} call ${at}`).toEqual(expected);
        expect(await found(centre), `${kind} call ${at}`).toEqual(await found(whole));
        expect(busiestWindow(centre)).toBeLessThanOrEqual(2);
        // A repeat of the message goes on with the run: it does not wait until the run counts as dead.
        expect(Date.parse(centre.now())).toBeLessThan(Date.parse('2026-11-20T06:20:00.000Z'));
      }
  });

  it('is taken over by the schedule, if the message is lost too', async () => {
    const centre = await reconciledCentre({ answer: reportOf(days) });
    centre.reconciliation.send({ kind: 'all' });
    for (let steps = 0; steps < 4; steps++) await centre.reconciliation.step();
    centre.reconciliation.lose();

    const deadMs = Date.parse((await centre.state()).run?.dueAt ?? '') + 20 * 60_000;
    centre.advance(new Date(deadMs - 1).toISOString());
    await centre.reconcile();
    expect((await centre.state()).lastRun).toBeUndefined();

    centre.advance(1);
    await centre.reconcile();
    expect((await centre.state()).lastRun).toMatchObject({
      done: expect.objectContaining({ '2026-11-06': expect.anything() }),
    });
    expect(await centre.records()).toHaveLength(4);
  });
});

describe('the kind of access', () => {
  const withToken: PolledAccount = { ...kolkataAccount, token: { kind: 'static', value: 'secret-token' } };
  const refused: ServiceAnswer = answer({ status: 'false', message: 'Missing userName or apiKey' }, 401);

  it.each<[string, (request: ServiceRequest) => ServiceAnswer, PolledAccount, number]>([
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
    const centre = await reconciledCentre({ account, answer });
    await centre.read('first');
    expect([centre.service.requests('report').length, (await centre.records()).length]).toEqual([tries, 1]);

    await centre.read('second');
    expect(centre.service.requests('report')).toHaveLength(tries + 1);
  });

  const generated: PolledAccount = { ...kolkataAccount, token: { kind: 'generate' } };

  it('with a token that has expired is tried once more with a new one', async () => {
    const accepting = (token: string) => (request: ServiceRequest) =>
      request.headers['Authorization'] === `Bearer ${token}` ? reportOf({ [today]: [leg(1)] })(request) : refused;
    const tokens = [tokenAnswer('old'), tokenAnswer('new')];
    const centre = await reconciledCentre({ account: generated, tokens, answer: accepting('old') });
    await centre.read('first');
    centre.advance(10 * 60_000);
    centre.answerBy(accepting('new'));
    const { lastRun } = await centre.read('second');

    const used = centre.service.requests('report').map(({ headers }) => headers['Authorization']);
    expect(used).toEqual([undefined, 'Bearer old', 'Bearer old', 'Bearer new']);
    expect(lastRun).toMatchObject({ id: 'second', done: { [today]: { known: 1 } } });
  });

  const unknown = answer({ status: 'false', message: 'Invalid Json Pass Valid Json' });
  const empty = answer({ status: 'false', message: 'userName should not be empty' });

  it.each<[string, PolledAccount, ServiceAnswer, ServiceAnswer, number, string]>([
    ['refuses the key', kolkataAccount, refused, noAnswer('connection'), 2, 'unauthorised'],
    ['refuses the token too', withToken, refused, noAnswer('connection'), 4, 'unauthorised'],
    ['refuses a new token, which is tried twice', generated, refused, tokenAnswer('new'), 5, 'unauthorised'],
    ['sees no name', generated, empty, tokenAnswer('new'), 4, 'rejected'],
    ['has an unknown error', generated, unknown, tokenAnswer('new'), 6, 'unknown-error'],
    ['issues no token', generated, refused, noAnswer('connection'), 2, 'connection'],
  ])(
    'is tried in every form for one day only, if the service %s',
    async (_what, account, sent, token, tries, reason) => {
      const centre = await reconciledCentre({ account, tokens: [token], answer: () => sent });
      const { access, days, problem } = await centre.read('by hand', [today, '2026-11-19']);

      const requests = centre.service.requests('report');
      const ways = new Set(requests.map(({ url, headers }) => `${url.split('?')[0]} ${headers['Authorization']}`));
      expect([requests.length, ways.size]).toEqual([tries, Math.min(tries, 4)]);
      expect([access, days, problem?.reason]).toEqual([0, {}, reason]);
    },
  );

  it.each(['before a request is sent', 'before its answer is written'])(
    'ends without another request where another run has written %s',
    async (when) => {
      const isLate = when === 'before its answer is written';
      const writeMeanwhile = () => {
        const Item = marshalled({ ...reconciliationKey('demo'), ...reconciliationOf('demo', undefined), version: 99 });
        void centre.dynamodb.send(new PutItemCommand({ TableName: centre.tables.agents, Item }));
      };
      const tokens = [
        () => {
          if (!isLate) writeMeanwhile();
          return tokenAnswer('new');
        },
      ];
      const answered = ({ headers }: ServiceRequest) => {
        if (headers['Authorization'] === undefined) return refused;
        writeMeanwhile();
        return answer([leg(1)]);
      };
      const centre = await reconciledCentre({ account: generated, tokens, answer: answered });
      expect((await centre.read()).version).toBe(99);
      expect(centre.service.requests('report')).toHaveLength(isLate ? 2 : 1);
    },
  );

  it('is tried in every form for one day only, if the row of the token is unreadable', async () => {
    const centre = await reconciledCentre({ account: generated, answer: () => refused });
    const Item = marshalled({ ...tokenKey('demo'), account: 'demo', version: 'odd' });
    await centre.dynamodb.send(new PutItemCommand({ TableName: centre.tables.agents, Item }));
    const { problem } = await centre.read('by hand', [today, '2026-11-19']);

    expect(centre.service.requests('report')).toHaveLength(2);
    expect(problem).toMatchObject({ reason: 'no-token' });
  });

  it.each<[string, readonly (ServiceAnswer | ReturnType<typeof reportOf>)[], string]>([
    ['changed after a status below 500', [answer('oops', 499)], 'fetchCDRDetails'],
    ['kept after a status from 500 on', [answer('oops', 500)], 'fetchCdrByPagination'],
    ['changed after an answer that is too large', [noAnswer('too-large')], 'fetchCDRDetails'],
    ['kept if there is no answer', [noAnswer('timeout')], 'fetchCdrByPagination'],
    ['kept after any limit', [errorAnswer('API rate limit hit. Try after 1 minute')], 'fetchCdrByPagination'],
    ['changed after an unknown error', [errorAnswer('Internal Server Error')], 'fetchCDRDetails'],
    ['kept after one, if it read a day', [reportOf({}), errorAnswer('Internal Server Error')], 'fetchCdrByPagination'],
  ])('is %s', async (_what, first, second) => {
    const centre = await reconciledCentre();
    centre.service.answers({ report: [...first, reportOf({})] });
    await centre.read('by hand', [today, '2026-11-19'].slice(0, first.length));

    const forms = centre.service.requests('report').map(({ url }) => new URL(url).pathname.split('/').at(-1));
    expect(forms).toEqual([...first.map(() => 'fetchCdrByPagination'), second]);
  });
});

describe('a service with odd pages', () => {
  const read = async (answer: (request: ServiceRequest) => ServiceAnswer, days = [today]) => {
    const centre = await reconciledCentre({ answer });
    return { centre, state: await centre.read('by hand', days) };
  };

  it.each<[string, (request: ServiceRequest) => ServiceAnswer]>([
    ['not for ever, if it sends the same page again and again', () => answer(legs(500))],
    [
      'once for the whole day, however many calls it has',
      ({ url }) => (url.includes('fetchCdrByPagination') ? answer('Not Found', 404) : answer(legs(500))),
    ],
  ])('is asked %s', async (_what, answer) => {
    const { centre, state } = await read(answer);
    expect([centre.service.requests('report').length, state.days[today]?.calls]).toEqual([2, 500]);
  });

  it.each<[string, readonly number[], totalCount: (length: number) => number | undefined, missing: number]>([
    ['short', [300, 300, 100], () => 700, 0],
    ['full up to the last', [500, 500], () => 1_000, 0],
    ['empty before they are complete', [500, 0], () => 700, 200],
    ['counted each by itself', [500, 200, 0], (length) => length, 0],
    ['not counted', [500, 1, 0], () => undefined, 0],
  ])('is asked for as many pages as there are, if they are %s', async (_what, sizes, totalCount, missing) => {
    const listed = sizes.reduce((sum, size) => sum + size, 0);
    const { centre, state } = await read((request) => {
      const page = Number(pageOf(request)) - 1;
      const from = sizes.slice(0, page).reduce((sum, size) => sum + size, 0);
      const details = legs(listed).slice(from, from + (sizes[page] ?? 0));
      return answer({ status: 'success', totalCount: totalCount(details.length), details });
    });
    expect(centre.service.requests('report').map(pageOf)).toEqual(sizes.map((_size, page) => String(page + 1)));
    expect(state.days[today]?.calls).toBe(listed);
    // A day with missing pages is read again, however old it is.
    expect(state.days[today]?.shrankFrom).toBe(missing === 0 ? undefined : listed + missing);
  });

  it('loses no other day for one that nobody can read, and tries every kind of access again', async () => {
    const report = reportOf({ [today]: [leg(1)], '2026-11-18': [leg(2)] });
    const { centre, state } = await read(
      (request) => (dayOf(request) === '2026-11-19' ? answer('<html>', 200) : report(request)),
      [today, '2026-11-19', '2026-11-18'],
    );
    expect(await centre.records()).toHaveLength(2);
    expect(state).toMatchObject({ access: 0, problem: { reason: 'unexpected-answer' } });
    expect(Object.keys(state.days).toSorted()).toEqual(['2026-11-18', today]);
  });
});

describe('a service that fails', () => {
  it('is asked less and less often, and after half an hour by the next schedule only', async () => {
    const centre = await reconciledCentre({ answer: () => noAnswer('timeout') });
    centre.reconciliation.send(byHand);
    await centre.reconciliation.step();
    // A repeat of the next message, which arrives too early, waits too.
    for (const next of centre.reconciliation.messages()) centre.reconciliation.send(next);
    await centre.reconciliation.rest();

    const times = centre.service.requests('report').map(({ at }) => Date.parse(at));
    const gaps = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 60_000));
    expect(gaps).toEqual([1, 2, 4, 8, 15]);
    expect([await centre.state(), centre.logs()]).toMatchObject([{ problem: { reason: 'timeout' }, days: {} }, []]);
  });

  it('is asked again when it says', async () => {
    const centre = await reconciledCentre();
    centre.service.answers({ report: [answer('Too many requests', 429, 300), reportOf({})] });
    await centre.read();

    const [first, second] = centre.service.requests('report').map(({ at }) => Date.parse(at));
    expect(Math.round((Number(second) - Number(first)) / 60_000)).toBe(5);
  });

  it.each(['Max limit exceeded', 'API rate limit hit. Please try after 1 minute', 'Internal Server Error'])(
    'goes on where it stopped, once the service answers, with the error %s a minute before',
    async (message) => {
      const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(600) }) });
      centre.reconciliation.send(byHand);
      await centre.reconciliation.step();
      centre.answerBy(() => errorAnswer(message));
      await centre.reconciliation.step();
      centre.answerBy(reportOf({ [today]: legs(600) }));
      await centre.reconciliation.rest();

      const requests = centre.service.requests('report');
      const [, failed, repeated] = requests.map(({ at }) => Date.parse(at));
      expect(requests.map(pageOf)).toEqual(['1', '2', '2']);
      expect(Number(repeated) - Number(failed)).toBeGreaterThanOrEqual(60_000);
      expect(await centre.records()).toHaveLength(600);
    },
  );
});
