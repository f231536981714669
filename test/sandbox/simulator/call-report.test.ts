import { describe, expect, it } from 'vitest';
import { createFaultBoard } from '../../../sandbox/frame/faults.ts';
import type { ReportSettings } from '../../../sandbox/simulator/call-report.ts';
import { account, losslessly, noon, type Opened, startReceiver, startService } from './support.ts';

type Service = Awaited<ReturnType<typeof startService>>;
const plain = '/ca_reports/fetchCDRDetails';
const paged = '/ca_reports/fetchCdrByPagination';
const hour = 3600;
const day = 24 * hour;
const local = (at: number) => new Date(at + 5.5 * hour * 1000).toISOString().slice(0, 19).replace('T', ' ');
const dayOf = (at: number) => ({
  fromDate: `${local(at).slice(0, 10)} 00:00:00`,
  toDate: `${local(at).slice(0, 10)} 23:59:59`,
});
const recordsIn = (text: string): readonly Opened[] => {
  const read = losslessly(text) as { readonly details: readonly Opened[] } | readonly Opened[];
  return 'details' in read ? read.details : read;
};
/** The service with other settings of its report. */
const startWith = async (report: Partial<ReportSettings>) => {
  const service = await startService();
  await service.ask('/_simulator/report', { body: JSON.stringify(report) });
  return service;
};
/** The records of a day, an hour after calls of a kind of which nothing was posted. */
const recordsOf = async (kind: string, report: Partial<ReportSettings> = {}, count = 40) => {
  const service = await startWith(report);
  await service.calls({ kind, count, callbacks: 'none' });
  service.pass(hour);
  return { service, records: recordsIn((await service.report()).text) };
};
const digits = (value: unknown) => (value as { readonly digits: string }).digits;
const text = (pattern: RegExp) => expect.stringMatching(pattern);

describe('the call report', () => {
  it('has the documented fields of a call, under its id as a number with exact digits', async () => {
    const { service, records } = await recordsOf('number-id', {}, 1);
    const [made] = (await service.made()).calls;

    expect(Object.keys(records[0] ?? {}).sort()).toEqual(
      `AgentDialStatus AgentID AgentName CallAudio CallDate CallFlow CallID CallerConfAudioFile CallerID CampaignName
      Comments ConferenceDuration CustomerDialStatus CustomerRingTime DID DialCount DialOutName DialStatus DialedNumber
      Disposition Duration DynamicDID E164 EndTime Event HandlingTime HangupBy HoldDuration Location PickupTime QueueTime
      Rating RatingComments Skill StartTime Status TalkTime TimeToAnswer TransferType TransferredTo Type UCID UUI
      VideoRecordingURL WrapUpEndTime WrapUpStartTime WrapupDuration`.split(/\s+/),
    );
    expect(records.at(-1)).toMatchObject({
      CallID: { digits: made?.callId },
      CallDate: '2026-11-21',
      StartTime: text(/^17:2\d:\d\d$/),
      Status: 'Answered',
      CallAudio: text(/^https:/),
      Disposition: text(/./),
    });
  });

  it.each([
    ['skill-transfer', 'Answered,Answered'],
    ['not-answered', 'Unanswered'],
    ['several-legs', 'Answered,Answered'],
  ])('has a record for each leg: %s %s', async (kind, statuses) => {
    expect(String((await recordsOf(kind, {}, 1)).records.map(({ Status }) => Status))).toBe(statuses);
  });

  it('has a leg for each agent, and an unanswered one for who let an answered call ring', async () => {
    const { service, records } = await recordsOf('agent-transfer');
    const legs = Map.groupBy(records, ({ CallID }) => digits(CallID));
    for (const { callId, legs: made } of (await service.made()).calls) {
      expect(legs.get(callId)?.map(({ UCID }) => digits(UCID))).toEqual(made);
      expect(new Set(legs.get(callId)?.map(({ AgentID }) => AgentID)).size).toBe(made.length);
    }

    const ringing = (await recordsOf('answered')).records;
    const missed = ringing.filter(({ Status }) => Status === 'Unanswered');
    expect(missed.length).toBeGreaterThan(0);
    for (const { CallID } of missed) {
      const [one, other] = ringing.filter((record) => digits(record['CallID']) === digits(CallID));
      expect([one?.['CallAudio'], other?.['CallAudio']].sort()).toEqual(['', text(/^https:/)]);
    }
  });

  it.each<[keyof ReportSettings, Partial<ReportSettings>, (record: Opened, answer: string) => void]>([
    ['list', { list: 'bare' }, (_, answer) => expect(answer).toMatch(/^\[\{/)],
    ['list', {}, (_, answer) => expect(answer).toMatch(/^\{"details":\[\{/)],
    ['ids', { ids: 'text' }, ({ CallID }) => expect(CallID).toEqual(text(/^\d{14,}$/))],
    ['blanks', { blanks: 'plus' }, (record) => expect(JSON.stringify(record)).not.toContain(' ')],
  ])('follows the setting %s: %j', async (_name, report, check) => {
    const service = await startWith(report);
    await service.calls({ callbacks: 'none', kind: 'agent-transfer' });
    service.pass(hour);
    const { text: answer } = await service.report();

    for (const record of recordsIn(answer)) check(record, answer);
  });

  it('gets recordings and dispositions after the call, and those of a tenth much later if so set', async () => {
    const service = await startWith({ lateHours: 20 });
    await service.calls({ kind: 'answered', count: 100, callbacks: 'none', at: new Date(noon - 60_000).toISOString() });
    const complete = async () =>
      recordsIn((await service.report(dayOf(noon))).text).filter(
        ({ CallAudio, Disposition }) => CallAudio !== '' && Disposition !== '',
      ).length;

    service.pass(-40);
    expect(await complete()).toBe(0);
    service.pass(hour);
    const [soon, { calls }] = [await complete(), await service.made()];
    service.pass(day);
    expect(soon).toBe(calls.filter(({ completeAt }) => Date.parse(completeAt) < noon + hour * 1000).length);
    expect(soon).toBeLessThan(100);
    expect(await complete()).toBe(100);
  });

  it('has today and the fourteen days before, and nothing older', async () => {
    const service = await startService();
    for (const days of [0, 1, 14, 15])
      await service.calls({ kind: 'ivr', callbacks: 'none', at: new Date(noon - days * day * 1000).toISOString() });

    const found: number[] = [];
    for (const days of [0, 1, 13, 14, 15]) {
      service.pass(31);
      found.push(recordsIn((await service.report(dayOf(noon - days * day * 1000))).text).length);
    }
    expect(found).toEqual([1, 1, 0, 1, 0]);
    expect((await service.made()).calls).toHaveLength(3);
  });

  it('puts a leg under the day of its start; its end after midnight is the smaller time', async () => {
    const service = await startService();
    // Midnight in Asia/Kolkata.
    const at = '2026-11-20T18:30:00Z';
    await service.calls({ kind: 'ivr', count: 60, spreadSeconds: 120, callbacks: 'none', at });
    const recordsAt = async (instant: number) => recordsIn((await service.report(dayOf(instant))).text);
    const before = await recordsAt(Date.parse(at) - 1);
    const after = await recordsAt(Date.parse(at));
    const across = before.filter(({ StartTime, EndTime }) => String(EndTime) < String(StartTime));

    expect(before.length + after.length).toBe(60);
    expect(after.length).toBeGreaterThan(0);
    expect(across.length).toBeGreaterThan(0);
    for (const { CallDate, StartTime } of across)
      expect([CallDate, StartTime]).toEqual(['2026-11-20', text(/^23:5\d:\d\d$/)]);
  });

  it.each([
    ['unseen', 4],
    ['empty', 0],
    ['shorter', 2],
  ] as const)('while yesterday moves at three is %s', async (move, count) => {
    const service = await startWith({ move });
    await service.calls({ kind: 'ivr', count: 4, callbacks: 'none' });
    // Noon UTC is 17:30 in Asia/Kolkata.
    service.pass(9.5 * hour + 240);
    expect(recordsIn((await service.report(dayOf(noon))).text)).toHaveLength(count);
    service.pass(61);
    expect(recordsIn((await service.report(dayOf(noon))).text)).toHaveLength(4);
  });

  it('is read page by page, with the count of all records', async () => {
    const service = await startService();
    await service.calls({ kind: 'ivr', count: 7, callbacks: 'none' });
    const read: { readonly details: readonly Opened[] }[] = [];
    for (const page of [1, 2, 3]) {
      service.pass(31);
      read.push(Object(losslessly((await service.report({}, { path: `${paged}?pageNo=${page}&pageSize=3` })).text)));
    }

    expect(read).toMatchObject(
      [3, 3, 1].map((length) => ({ status: 'success', totalCount: { digits: '7' }, details: { length } })),
    );
    expect(new Set(read.flatMap(({ details }) => details.map(({ CallID }) => digits(CallID)))).size).toBe(7);
  });

  it.each<[Partial<ReportSettings>, pageSize: number, lengths: readonly number[], totalCount: unknown, ids: number]>([
    [{ pageRows: 3 }, 500, [3, 0, 0], { digits: '7' }, 3],
    [{ pageRows: 3 }, 3, [3, 3, 1], { digits: '7' }, 7],
    [{ pageRows: 3, pagesBy: 'given', totalCount: 'text' }, 500, [3, 3, 1], '7', 7],
    [{ pageRows: 3, pagesBy: 'nothing', totalCount: 'absent' }, 500, [3, 3, 3], undefined, 3],
    [{ pageRows: 5, totalCount: 'of-page' }, 5, [5, 2, 0], { digits: '5' }, 7],
  ])('has pages as they are set: %j, asked for %i', async (report, pageSize, lengths, totalCount, ids) => {
    const service = await startWith(report);
    await service.calls({ kind: 'ivr', count: 7, callbacks: 'none' });
    const read: { readonly totalCount?: unknown; readonly details: readonly Opened[] }[] = [];
    for (const page of [1, 2, 3]) {
      service.pass(31);
      read.push(
        Object(losslessly((await service.report({}, { path: `${paged}?pageNo=${page}&pageSize=${pageSize}` })).text)),
      );
    }

    expect(read.map(({ details }) => details.length)).toEqual(lengths);
    expect(read[0]?.totalCount).toEqual(totalCount);
    expect(new Set(read.flatMap(({ details }) => details.map(({ CallID }) => digits(CallID)))).size).toBe(ids);
  });

  const answersTo = async (service: Service, ...asked: Parameters<Service['report']>) => {
    const { status, json } = await service.report(...asked);
    return [status, (json as { readonly message?: string } | undefined)?.message];
  };

  const method = 'POST';
  const authorization = 'Bearer x';
  const missing = 'Missing userName or apiKey';
  it.each<[string, Parameters<Service['report']>, number, string | undefined]>([
    ['query parameters', ['', { path: `${plain}?userName=demo` }], 200, 'Invalid Json Pass Valid Json'],
    ['a POST', [{}, { method }], 405, undefined],
    ['a POST with a token', [{}, { method, headers: { authorization } }], 401, missing],
    ['a token', [{}, { headers: { authorization } }], 401, missing],
    ['no key', [{}, { headers: { apiKey: '' } }], 401, missing],
    ['a wrong key', [{}, { headers: { apiKey: 'wrong' } }], 401, 'userName or apiKey is Invalid'],
    ['no dates', [{ fromDate: '' }], 200, 'Missing fromDate and toDate'],
    ['a date without time', [{ toDate: '2026-11-21' }], 200, text(/^Invalid toDate format/) as string],
    ['two days', [{ fromDate: '2026-11-20 00:00:00' }], 200, 'fromDate and toDate should be of the same day'],
    ['tomorrow', [dayOf(noon + day * 1000)], 200, 'fromDate and toDate should not be future dates'],
    ['too large a page', [{}, { path: `${paged}?pageSize=501` }], 200, text(/up to 500$/) as string],
  ])('answers %s with its own error', async (_what, asked, status, message) => {
    expect(await answersTo(await startService(), ...asked)).toEqual([status, message]);
  });

  it.each([
    ['needed-by-pages', plain, undefined, 200],
    ['needed-by-pages', paged, undefined, 401],
    ['needed-by-pages', paged, 'issued', 200],
    ['needed-by-pages', paged, 'invented', 401],
    ['ignored', paged, 'invented', 200],
  ] as const)(
    'of an account whose token is %s answers %s with the token %s by HTTP %i',
    async (token, path, sent, status) => {
      const service = await startWith({ token });
      const issued = Object((await service.token()).json).token;
      const headers = sent && { authorization: `Bearer ${sent === 'issued' ? issued : sent}` };

      expect((await service.report({}, { path, headers: { ...headers } })).status).toBe(status);
    },
  );

  it('rejects the third request of a minute over both forms; polls have a limit of their own', async () => {
    const service = await startService();
    for (const path of [paged, plain]) expect((await service.report({}, { path })).status).toBe(200);

    expect(await answersTo(service, {}, { path: paged })).toEqual([200, 'Max limit exceeded']);
    expect((await service.logins()).json).toMatchObject({ status: 'success' });
    const reports = { requests: 3, overLimit: 1, maxPerMinute: 3 };
    expect(service.counts()['demo']).toMatchObject({ requests: 1, overLimit: 0, reports });
    service.pass(61);
    expect((await service.report()).json).toEqual({ details: [] });
  });

  it.each<[string, number, RegExp]>([
    ['report-empty', 200, /^\{"details":\[\]\}$/],
    ['report-half', 200, /^\{"details":\[\{[^}]*\}\]\}$/],
    ['report-malformed', 200, /\{"UCID":null\}\]\}$/],
    ['report-no-data', 200, /No Data Found/],
    ['report-429', 429, /Max limit/],
    ['report-405', 405, /^$/],
    ['report-html', 200, /<!doctype/],
    ['report-truncated', 200, /[^}]$/],
    ['report-huge', 200, /^\{"details":\[\{/],
    ['report-slow', 200, /^\{"details":\[\{.*\]\}$/],
  ])('answers %s on request, once', async (kind, status, pattern) => {
    const service = await startService();
    await service.calls({ kind: 'ivr', count: 2, callbacks: 'none' });
    expect((await service.ask('/_simulator/answers', { body: JSON.stringify({ kind }) })).status).toBe(200);

    expect((await service.logins()).json).toMatchObject({ status: 'success' });
    const answer = await service.report();
    expect(answer).toMatchObject({ status, text: text(pattern) });
    expect(answer.text.length > 16 * 1024 * 1024).toBe(kind === 'report-huge');
    expect(recordsIn((await service.report()).text)).toHaveLength(2);
  });

  it('of one account is changed alone, and an unknown setting is refused', async () => {
    const service = await startService({ accounts: [account, { ...account, userName: 'other', apiKeys: ['o'] }] });
    const change = (body: object) => service.ask('/_simulator/report', { body: JSON.stringify(body) });

    const demo = { list: 'details' };
    const other = { list: 'bare' };
    expect((await change({ account: 'OTHER', ...other })).json).toMatchObject({ demo, other });
    expect(await change({ list: 'long' })).toMatchObject({ status: 400, json: { message: text(/"details"\|"bare"/) } });
  });
});

describe('callbacks', () => {
  it('are lost or poorer for the requested share of calls, the same for the same seed; the report has them whole', async () => {
    const receiver = await startReceiver();
    const board = createFaultBoard();
    board.set('callbacks', { mode: 'both', rate: 0.1 });
    const run = async () => {
      const service = await startService({ callbackUrl: receiver.url, board });
      const sent = await service.calls({ kind: 'answered', count: 300, seed: 1, pace: 0 });
      const { calls } = await service.made();
      service.pass(hour);
      return { calls, sent, records: recordsIn((await service.report()).text) };
    };
    const [{ calls, sent, records }, again] = [await run(), await run()];
    const idsOf = (callbacks: string) =>
      calls.filter((call) => call.callbacks === callbacks).map(({ callId }) => callId);
    const posted = receiver.posts().map(({ body }) => String(new URLSearchParams(body).get('data')));

    expect(again.calls).toEqual(calls);
    expect(sent).toMatchObject({ posts: calls.length - idsOf('none').length });
    for (const share of [idsOf('none').length, idsOf('poorer').length]) expect(Math.abs(share - 30)).toBeLessThan(15);
    for (const id of idsOf('none')) expect(posted.join()).not.toContain(id);
    const poorer = JSON.stringify({ Status: 'NotAnswered', AudioFile: '', Disposition: '' }).slice(1, -1).split(',');
    for (const id of idsOf('poorer'))
      expect(poorer.filter((part) => posted.find((body) => body.includes(id))?.includes(part))).toEqual(poorer);
    for (const id of calls.map(({ callId }) => callId))
      expect(records).toContainEqual(
        expect.objectContaining({ CallID: { digits: id }, Status: 'Answered', CallAudio: text(/^https/) }),
      );
  });

  it('may be chosen by the request, whatever the fault', async () => {
    const receiver = await startReceiver();
    const board = createFaultBoard();
    board.set('callbacks', { mode: 'lose', rate: 1 });
    const service = await startService({ callbackUrl: receiver.url, board });

    expect(await service.calls({ kind: 'late-disposition', callbacks: 'poorer', pace: 0 })).toMatchObject({ posts: 1 });
    expect(await service.calls({ kind: 'late-disposition', callbacks: 'all', pace: 0 })).toMatchObject({ posts: 2 });
    expect(await service.calls({ count: 40 })).toMatchObject({ posts: 0, answers: {} });
    expect(receiver.posts()).toHaveLength(3);
  });
});
