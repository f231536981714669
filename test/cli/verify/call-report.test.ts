import { describe, expect, it } from 'vitest';
import { compareWithReport } from '../../../cli/verify/call-report.ts';
import { accountIndex, namedAccounts } from '../../../lib/accounts/account-index.ts';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import { answer, reportOf, type ServiceAnswer } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { callback, legs, pageOf, reconciledCentre, today } from '../../support/reconciled-centre.ts';

type Service = (request: ServiceRequest) => ServiceAnswer;

const all = legs(230);
const rows = 100;
const cutReport = reportOf({ [today]: all }, { rows });

/** What `verify` makes of the report of a day whose calls are all in the table. The dry run ends before the state is read. */
const compared = async (
  service: Service,
  { reportWait = 5, before }: { reportWait?: number; before?: Service } = {},
) => {
  const centre = await reconciledCentre({ answer: before ?? service });
  for (let id = 1; id <= all.length; id += 1)
    await centre.record(callback(id), { receivedAt: '2026-11-20T05:00:00.000Z' });
  if (before !== undefined) await centre.read('before');
  centre.answerBy(service);
  const clock = () => new Date(centre.now());
  const sqs = {
    async send({ input }: { input: { MessageBody: string } }) {
      centre.reconciliation.send(JSON.parse(input.MessageBody));
      await centre.reconciliation.rest();
    },
  };
  const deployment = { dynamodb: centre.dynamodb, tables: centre.tables, queues: { reconciliation: 'queue' }, sqs };
  const reader = {
    deployment,
    account: 'demo',
    accounts: async () => namedAccounts(accountIndex([kolkataAccount]).all),
    range: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-20T06:00:00.000Z' },
  };
  const terminal = { progress: () => undefined };
  const run = { terminal, clock, location: { stack: 'callfeed-prod' }, stop: new AbortController().signal };
  return compareWithReport(reader as never, run as never, { report: true, reportWait });
};

describe('verify finds the call report', () => {
  it.each<[string, Service]>([
    ['that gives fewer records a page than it is asked for', cutReport],
    ['that counts them as a text', reportOf({ [today]: all }, { rows, totalCount: String })],
    ['that does not count them', reportOf({ [today]: all }, { rows, totalCount: () => undefined })],
    ['that gives all of them on every page', () => answer(all)],
  ])('read to its end, if it is one %s', async (_what, service) => {
    const found = await compared(service);

    expect(found).toMatchObject({ isRead: true, gaps: [], json: { read: true, calls: 230, cut: [] } });
    expect(found.note).toBe(`Call report of demo: 230 calls on ${today}.`);
  });

  const first = answer({ status: 'success', totalCount: '230', details: all.slice(0, rows) });
  const empty = answer({ status: 'success', totalCount: 230, details: [] });
  const nothing = answer({ status: 'success', totalCount: 0, details: [] });
  it.each<[string, Service, Service | undefined, records: number]>([
    ['whose second page is empty', (request) => (pageOf(request) === '1' ? first : empty), undefined, 100],
    ['whose first page comes again', () => first, undefined, 100],
    ['that is empty beside a number', () => empty, undefined, 0],
    ['with fewer records than an earlier run read', () => nothing, cutReport, 0],
  ])('not read to its end, if it is one %s', async (_what, service, before, records) => {
    const found = await compared(service, before && { before });

    expect(found.gaps).toEqual([
      {
        what: `the call report of demo was not read to its end: ${today} ended after ${records} of 230 records`,
        remedy: { again: {}, when: expect.stringContaining('later; if it stays so') },
      },
    ]);
    expect(found.json).toMatchObject({ cut: [{ day: today, records, total: 230 }] });
  });

  it('not read, if that takes longer than it may, and says what it waited for', async () => {
    const found = await compared(cutReport, { reportWait: 1 });

    expect(found).toMatchObject({ isRead: false, note: undefined });
    expect(found.gaps).toEqual([
      {
        what:
          'the call report of demo was not read: it was not there within 1m 00s: ' +
          `2 pages of ${today} had 200 of 230 records, and the service accepts two requests a minute`,
        remedy: { again: { 'report-wait': '2' } },
      },
    ]);
  });

  it('expected to take as long as an earlier run took', async () => {
    const found = await compared(cutReport, { before: cutReport, reportWait: 1 });

    expect(found.gaps).toEqual([
      {
        what: expect.stringMatching(/its requests are limited, so it takes about 1m 0\ds$/),
        remedy: { again: { 'report-wait': '2' } },
      },
    ]);
  });
});
