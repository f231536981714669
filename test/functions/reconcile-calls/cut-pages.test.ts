import { describe, expect, it } from 'vitest';
import { afterPageOfDay, newReading } from '../../../functions/reconcile-calls/day-reading.ts';
import { dueDays } from '../../../functions/reconcile-calls/due-days.ts';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import { answer, type Paging, reportOf, type ServiceAnswer } from '../../deployment/index.ts';
import {
  busiestWindow,
  byHand,
  dayOf,
  leg,
  legs,
  pageOf,
  reconciledCentre,
  today,
} from '../../support/reconciled-centre.ts';

type Service = (request: ServiceRequest) => ServiceAnswer;
type Records = readonly object[];

const yesterday = '2026-11-19';

/** What is known of a day once it was read, and of how. */
const reading = async (service: Service, day = today) => {
  const centre = await reconciledCentre({ answer: service });
  const state = await centre.read('by hand', [day]);
  return { centre, state, read: state.days[day], requests: centre.service.requests('report').length };
};

const rows = 100;
const uncounted: Paging = { rows, totalCount: () => undefined };

describe('a day is read to its end', () => {
  it.each<[string, count: number, Paging, requests: number]>([
    ['a hundred records a page beside the day’s number', 230, { rows }, 3],
    ['that number as a text', 230, { rows, totalCount: String }, 3],
    ['that number as a decimal one in blanks', 230, { rows, totalCount: (day) => ` ${day}.0 ` }, 3],
    ['that number on the first page alone', 230, { rows, totalCount: (day, page) => (page === rows ? day : null) }, 3],
    ['no number', 230, uncounted, 4],
    ['the page’s own number', 230, { rows, totalCount: (_day, page) => page }, 4],
    ['the number of pages', 230, { rows, totalCount: () => 3 }, 4],
    ['zero for a number', 230, { rows, totalCount: () => 0 }, 4],
    ['less than zero', 230, { rows, totalCount: () => -1 }, 4],
    ['a word for a number', 230, { rows, totalCount: () => 'many' }, 4],
    ['pages that begin behind what was given', 230, { rows, by: 'given' }, 3],
    ['such pages and no number', 230, { ...uncounted, by: 'given' }, 4],
    ['a last page that is full, and no number', 200, uncounted, 3],
    ['one page that is full', 500, {}, 2],
    ['one call more', 501, { totalCount: String }, 2],
    ['a round number of calls, which may be a limit', 30, {}, 2],
    ['another number of calls', 31, {}, 1],
    ['one call and no number', 1, { totalCount: () => undefined }, 2],
    ['no call and no number', 0, { totalCount: () => undefined }, 1],
  ])('from a service that sends %s', async (_what, count, paging, requests) => {
    const found = await reading(reportOf({ [today]: legs(count) }, paging));

    expect(await found.centre.records()).toHaveLength(count);
    expect(found.read).toMatchObject({ records: count, calls: count, found: count, known: 0 });
    expect(found.read).not.toHaveProperty('isCut');
    expect(found.requests).toBe(requests);
    expect(busiestWindow(found.centre)).toBeLessThanOrEqual(2);
  });

  it('by as many records a page as the first page had, and each day is asked for the most', async () => {
    const centre = await reconciledCentre({
      answer: reportOf({ [today]: legs(230), [yesterday]: legs(120) }, { rows }),
    });
    await centre.read('by hand', [today, yesterday]);

    const asked = centre.service.requests('report').map((request) => {
      const { pageNo, pageSize } = Object.fromEntries(new URL(request.url).searchParams);
      return `${dayOf(request)}: ${pageNo} of ${pageSize}`;
    });
    expect(asked).toEqual([
      `${today}: 1 of 500`,
      `${today}: 2 of 100`,
      `${today}: 3 of 100`,
      `${yesterday}: 1 of 500`,
      `${yesterday}: 2 of 100`,
    ]);
    expect((await centre.state()).days).toMatchObject({ [today]: { pages: 3 }, [yesterday]: { pages: 2 } });
  });
});

const all = legs(230);
const late = leg(999);

/** The service as it is at the first request, at the second, and at each later one. */
const changing = (day: string, states: readonly Records[], paging: Paging = { rows }): Service => {
  let requests = 0;
  return (request) => {
    const records = states[Math.min(requests, states.length - 1)] ?? [];
    requests += 1;
    return reportOf({ [day]: records }, paging)(request);
  };
};

/** These pages, whatever is asked for; the last one comes again. */
const pages =
  (sent: readonly Records[], totalCount?: number): Service =>
  (request) => {
    const details = sent[Math.min(Number(pageOf(request)), sent.length) - 1];
    return answer({ status: 'success', message: 'success', totalCount, details });
  };

/** One page, whatever is asked for: the whole day. */
const unpaged = (states: readonly Records[]): Service => {
  let requests = 0;
  return () => answer({ details: states[Math.min(requests++, states.length - 1)] });
};

const isPaged = ({ url }: ServiceRequest) => url.includes('fetchCdrByPagination');

describe('a record counts once', () => {
  it.each<[string, Service, records: number, requests: number]>([
    ['a call of today comes before those that were read', changing(today, [all, [late, ...all]]), 230, 4],
    ['a call of today comes behind them', changing(today, [all, [...all, late]]), 231, 3],
    ['a call comes before them, and nobody counts', changing(today, [all, [late, ...all]], uncounted), 230, 4],
    ['every page is the same', unpaged([all]), 230, 2],
    ['every page is the whole day, which grows', unpaged([all, [late, ...all]]), 231, 2],
    ['a full page comes again', unpaged([legs(500)]), 500, 2],
    ['the last page comes again', pages([all.slice(0, 200), all.slice(200)]), 230, 3],
    ['two of a page are alike', pages([[...legs(30), leg(30)], []]), 31, 2],
    [
      'it changes as it moves to the next page',
      changing(today, [all, [late, ...legs(230, { Disposition: 'Late', CallAudio: '' })]]),
      230,
      4,
    ],
    ['what is no record comes again with its page', pages([[...legs(3), []]]), 4, 2],
  ])('where %s', async (_what, service, records, requests) => {
    const found = await reading(service);

    expect(found.read).toMatchObject({ records, found: (await found.centre.records()).length });
    expect(found.read).not.toHaveProperty('isCut');
    expect(found.requests).toBe(requests);
  });
});

it('the last thirty thousand records of a day are remembered, which fit into a row', () => {
  const page = { counts: { ...newReading.soFar, records: 1 }, counted: [], rows: 'new-row', repeated: 0, written: 0 };
  const of = { total: 99_999, access: { form: 'paged', withToken: false }, isGrowing: false } as const;
  const after = afterPageOfDay({ ...newReading, page: 61, rows: 'old-row'.repeat(30_000) }, { ...page, ...of });

  expect(after).toMatchObject({ next: { rows: `${'old-row'.repeat(29_999)}new-row` } });
});

describe('a day that ends short of its number is not read to its end', () => {
  const [one = [], two = []] = [all.slice(0, 100), all.slice(100, 200)];
  it.each<[string, string, Service, records: number, total: number | undefined, requests: number]>([
    ['the next page is empty', today, pages([one, []], 230), 100, 230, 2],
    ['the only page is empty', today, pages([[]], 230), 0, 230, 1],
    ['the first page comes again and again', today, pages([one], 230), 100, 230, 2],
    ['a page before the last one comes again', today, pages([one, two, one, two], 400), 200, 400, 3],
    ['some of a page come again, and nobody counts', today, pages([one, all.slice(40, 140)]), 140, undefined, 2],
    ['a call comes to a finished day', yesterday, changing(yesterday, [all, [late, ...all]]), 230, 231, 4],
    ['a call moves to where the reading was', yesterday, changing(yesterday, [all, all.toReversed()]), 130, 230, 2],
    ['a call goes while today is read', today, changing(today, [all, all.slice(1)]), 229, 230, 4],
    ['a call goes from a finished day', yesterday, changing(yesterday, [all, all.slice(1)]), 229, 230, 4],
    ['the number is of another day', today, reportOf({ [today]: all }, { rows, totalCount: () => 231 }), 230, 231, 4],
    [
      'the unpaged form has fewer',
      today,
      (request) => (isPaged(request) ? answer('Not found', 404) : answer({ totalCount: '230', details: one })),
      100,
      230,
      2,
    ],
    [
      'the unpaged form has fewer than the paged one stated, before that failed',
      today,
      (request) => {
        if (!isPaged(request)) return answer(one);
        return pageOf(request) === '1' ? reportOf({ [today]: all }, { rows })(request) : answer('Not found', 404);
      },
      100,
      230,
      3,
    ],
  ])('where %s', async (_what, day, service, records, total, requests) => {
    const { read, ...found } = await reading(service, day);

    expect(read).toMatchObject({ isCut: true, records, calls: records, found: records });
    expect([read?.total, read?.shrankFrom]).toEqual([total, total]);
    expect(found.requests).toBe(requests);
    expect(found.state.lastRun?.done[day]).toMatchObject({ isCut: true, records });
  });

  it.each<[string, Service, isDue: boolean]>([
    ['its number', pages([one, []], 230), true],
    ['what its pages repeat in part', pages([one, all.slice(40, 140)]), true],
    ['nothing', pages([one, []], 100), false],
  ])('and is read again although it is final, if it lacks %s', async (_what, service, isDue) => {
    const day = '2026-11-12';
    const { centre, state } = await reading(service, day);

    expect(dueDays(state, 'Asia/Kolkata', new Date(centre.now())).includes(day)).toBe(isDue);
  });

  it('so the run does not count as one that read every day, until a later run has', async () => {
    const day = '2026-11-12';
    const centre = await reconciledCentre({ answer: pages([one, []], 230) });
    await centre.reconcile();
    expect(centre.metrics()['ReportRunsCompleted']).toBeUndefined();

    centre.advance(3_600_000);
    centre.answerBy(reportOf({ [day]: all }, { rows }));
    await centre.reconcile();
    expect(centre.metrics()).toMatchObject({ ReportRunsCompleted: 1 });
    expect((await centre.state()).days[day]).not.toHaveProperty('isCut');
  });

  it('and keeps its calls, of which those that were found are a part', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: all }, { rows }) });
    await centre.reconcile();
    centre.answerBy(pages([one, []], 230));
    const state = await centre.read();
    centre.answerBy(reportOf({ [today]: all }, { rows }));
    await centre.reconcile();

    expect(state.days[today]).toMatchObject({ records: 100, calls: 230, found: 230 });
    // None is new.
    expect(centre.metrics()).toMatchObject({ ReportCallsFound: 0, ReportCallsNew: 0 });
  });

  it('but is, once the service counts no more than it has, unless an earlier run read more', async () => {
    const of = (records: number, total: number) =>
      reportOf({ [yesterday]: legs(records) }, { totalCount: () => total });
    const centre = await reconciledCentre();
    const readings = [of(31, 33), of(31, 31), of(33, 33), of(31, 34), of(32, 32), of(33, 33)];
    const shrankFrom: unknown[] = [];
    for (const [run, service] of readings.entries()) {
      centre.answerBy(service);
      centre.advance(3_600_000);
      shrankFrom.push((await centre.read(String(run), [yesterday])).days[yesterday]?.shrankFrom);
    }

    expect(shrankFrom).toEqual([33, undefined, undefined, 34, 33, undefined]);
  });

  it('which a dry run says too, and marks nothing', async () => {
    const centre = await reconciledCentre({ answer: pages([one, []], 230) });
    await centre.reconcile({ ...byHand, isDryRun: true });

    const state = await centre.state();
    expect(state.lastRun?.done[today]).toMatchObject({ isCut: true, total: 230, records: 100, found: 100 });
    expect(state.days).toEqual({});
  });

  it('and a run that nobody waits for says how far it was', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: all }, { rows }) });
    const until = new Date(Date.parse(centre.now()) + 60_000).toISOString();
    await centre.reconcile({ ...byHand, isDryRun: true, until });

    const endedWithin = { day: today, page: 3, records: 200, total: 230 };
    expect((await centre.state()).lastRun).toMatchObject({ done: {}, endedWithin });
  });
});
