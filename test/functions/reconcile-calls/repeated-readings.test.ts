import { describe, expect, it } from 'vitest';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import { answer, noAnswer, reportOf } from '../../deployment/index.ts';
import { byHand, callback, leg, legs, pageOf, reconciledCentre, today } from '../../support/reconciled-centre.ts';

type Centre = Awaited<ReturnType<typeof reconciledCentre>>;

const earlier = { receivedAt: '2026-11-20T05:00:00.000Z' };
const counts = { known: 0, found: 0, completed: 0 };

/** The table takes so many writes of calls during a step, which is then repeated. */
const slowWrites = async (centre: Centre, after: number) => {
  centre.reconciliation.send(byHand);
  const before = centre.writes();
  // The state of the run has the word “calls” too.
  const writes = { operation: 'PutItem', holding: '"TableName":"calls"', after };
  await centre.fail('calls', writes).during(() => centre.reconciliation.step());
  expect((await centre.state()).lastRun).toBeUndefined();
  expect(centre.writes() - before).toBe(after);
};

describe('a step that is repeated after a slow write counts', () => {
  it('as found what it has stored itself', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(100) }) });
    await slowWrites(centre, 80);
    await centre.reconciliation.rest();

    const state = await centre.state();
    expect(state.lastRun?.done[today]).toMatchObject({ ...counts, calls: 100, found: 100 });
    expect(await centre.records()).toHaveLength(100);
    // The next reading knows them.
    expect((await centre.read('again')).lastRun?.done[today]).toMatchObject({ ...counts, calls: 100, known: 100 });
    expect((await centre.state()).days[today]?.found).toBe(100);
  });

  it('as completed what it has completed itself, and as known what callbacks told before', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(30) }) });
    for (let id = 1; id <= 10; id += 1) await centre.record(callback(id, { Disposition: '' }), earlier);
    for (let id = 11; id <= 20; id += 1) await centre.record(callback(id), earlier);
    await slowWrites(centre, 12);
    await centre.reconciliation.rest();

    const done = (await centre.state()).lastRun?.done[today];
    expect(done).toMatchObject({ calls: 30, completed: 10, known: 10, found: 10 });
  });

  it('as found a call whose callback came after it was stored, and as known one whose callback came before', async () => {
    const centre = await reconciledCentre({ answer: reportOf({ [today]: legs(40) }) });
    await slowWrites(centre, 20);
    centre.advance(1_000);
    for (let id = 1; id <= 40; id += 1) await centre.record(callback(id), { receivedAt: centre.now() });
    await centre.reconciliation.rest();

    const done = (await centre.state()).lastRun?.done[today];
    expect(done).toMatchObject({ completed: 0, found: 20, known: 20 });
  });

  it('as moved a call that it has moved to its day itself', async () => {
    const start = '2026-11-24T06:00:00.000Z';
    const centre = await reconciledCentre({ start, answer: reportOf({ [today]: legs(3) }) });
    for (const id of [1, 2, 3])
      await centre.record(callback(id, { StartTime: '', EndTime: '' }), { source: 'report', receivedAt: start });
    centre.advance(1_000);
    await slowWrites(centre, 2);
    await centre.reconciliation.rest();

    expect((await centre.state()).lastRun?.done[today]).toMatchObject({ completed: 3, moved: 3, found: 0 });
  });
});

describe('a day that is read from its first page again counts what it has stored before', () => {
  const isPaged = ({ url }: ServiceRequest) => url.includes('fetchCdrByPagination');

  it('where another kind of access has to be tried', async () => {
    const all = legs(230);
    const centre = await reconciledCentre({
      answer: (request) => {
        if (!isPaged(request)) return answer(all);
        return pageOf(request) === '1' ? reportOf({ [today]: all }, { rows: 100 })(request) : answer('gone', 404);
      },
    });
    const { lastRun } = await centre.read();

    expect(lastRun?.done[today]).toMatchObject({ ...counts, records: 230, calls: 230, found: 230 });
  });

  const secondPage = (request: ServiceRequest) => Number(pageOf(request)) > 1;

  it.each<[string, (centre: Centre) => Promise<unknown>]>([
    ['gave up', (centre) => centre.read('first')],
    [
      'died',
      async (centre) => {
        centre.reconciliation.send({ ...byHand, run: 'first' });
        await centre.reconciliation.step();
        centre.reconciliation.lose();
        centre.advance(3_600_000);
      },
    ],
  ])('in a run that %s, and a dry run in between knows it', async (_what, first) => {
    const report = reportOf({ [today]: legs(600) });
    const centre = await reconciledCentre({
      answer: (request) => (secondPage(request) ? noAnswer('timeout') : report(request)),
    });
    await first(centre);
    expect(await centre.records()).toHaveLength(500);
    centre.answerBy(report);
    await centre.reconcile({ ...byHand, run: 'dry', isDryRun: true });
    const dry = (await centre.state()).lastRun?.done[today];
    const { lastRun, days } = await centre.read('second');

    expect(dry).toMatchObject({ ...counts, known: 500, found: 100 });
    expect(lastRun?.done[today]).toMatchObject({ ...counts, calls: 600, found: 600 });
    expect(days[today]).toMatchObject({ found: 600 });
  });

  it('but not what the reading of another day has stored', async () => {
    const yesterday = '2026-11-19';
    const other = leg(1, { CallDate: yesterday, UCID: '519', StartTime: '23:50:00', EndTime: '23:58:00' });
    const centre = await reconciledCentre({ answer: reportOf({ [today]: [leg(1)], [yesterday]: [other] }) });
    const { lastRun } = await centre.read('by hand', [today, yesterday]);

    expect(lastRun?.done).toMatchObject({ [today]: { found: 1 }, [yesterday]: { ...counts, completed: 1 } });
  });
});
