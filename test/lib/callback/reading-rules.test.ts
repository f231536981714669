import { describe, expect, it } from 'vitest';
import { redriveQuarantined } from '../../../cli/operate/redrive-quarantined.ts';
import { renormalise } from '../../../cli/operate/renormalise.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { type Delivery, deliveryOf } from '../../../lib/calls/merge-deliveries.ts';
import { compressText } from '../../../lib/core/encoding.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { deployment, reportOf, type ServiceScript } from '../../deployment/index.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { generousDeadline, memoryVersionedRows } from '../../support/memory-ports.ts';
import { callKey, decompressed, recordFrom } from '../../support/posted-records.ts';

/** An account whose settings decide what its records mean. */
const account = {
  ...demoAccount,
  apiKeys: ['demo-key'],
  baseUrl: 'https://service.example',
  token: { kind: 'none' },
  timeZone: 'Europe/London',
  words: { status: { 'Given up': 'not-answered' }, dialStatus: { 'Gone home': 'no-response' } },
} as const satisfies Account;

const summary = {
  ...{ monitorUCID: callKey.callId, StartTime: '2026-07-01 10:00:00', EndTime: '2026-07-01 10:05:00' },
  ...{ Status: 'Given up', Duration: '00:04:00', Comments: 'apiKey=demo-key', Apikey: 'demo-key', UserName: 'demo' },
};
const participant = {
  UCID: callKey.callId,
  ExitStatus: 'x',
  StartTime: '2026-07-01 10:00:00',
  DialStatus: 'Gone home',
};

/** The same call in the service's call report. */
const reported = {
  ...{ CallID: callKey.callId, CallDate: '2026-07-01', StartTime: '10:00:00', EndTime: '10:05:00' },
  ...{ Status: 'Given up', TalkTime: '00:04:00', Comments: 'apiKey=demo-key' },
};

const settings = { retentionDays: 9, clock: () => new Date('2026-07-02T00:00:00.000Z') };

/** A row that was derived again from what was sent, after it was read without the account's settings. */
const derivedAgain = async (sent: object, source?: Delivery['source']): Promise<readonly Row[]> => {
  const { Apikey: _key, ...kept } = { Apikey: '', ...sent, Comments: 'apiKey=***' };
  const asSent = compressText(JSON.stringify(kept));
  const facts = { timeZone: 'Asia/Kolkata', status: 'unknown', statusAsSent: 'Given up' };
  const record = recordFrom([deliveryOf(facts, { receivedAt: '2026-07-01T12:00:00.000Z', asSent, source })]);
  const rows = memoryVersionedRows();
  const row = rowOf(record, 9);
  await rows.putNextVersion(row, { puts: [], removes: [] }, generousDeadline());
  await renormalise({ rows, ...settings, isDryRun: false })(row, account, generousDeadline());
  return rows.select();
};

const deployed = (script: ServiceScript = {}) =>
  deployment({ accounts: [account], startedAt: '2026-07-01T12:00:00.000Z', service: script });

/** Every path by which what was sent becomes a row. */
const paths: readonly (readonly [string, () => Promise<readonly Row[]>])[] = [
  [
    'a callback',
    async () => {
      const d = await deployed();
      await d.post([summary, participant]);
      return d.rows('calls');
    },
  ],
  [
    'a callback that was parked',
    async () => {
      const d = await deployed();
      await d.fail('dynamodb').during(() => d.post([summary, participant]));
      await d.recover();
      return d.rows('calls');
    },
  ],
  [
    'a post that was quarantined',
    async () => {
      const d = await deployed();
      const accounts = accountIndex([account]);
      const ports = { ...d.stores(), accounts, remove: async () => undefined };
      const body = accounts.redact(JSON.stringify([summary, participant]));
      const entry = { reason: 'not-a-call-summary', account: 'demo', body, receivedAt: d.now() };
      await redriveQuarantined(ports, { account: undefined, isDryRun: false })({ id: 'x', entry });
      return d.rows('calls');
    },
  ],
  [
    'the call report',
    async () => {
      const d = await deployed({ report: [reportOf({ '2026-07-01': [reported] })] });
      await d.reconcile({ kind: 'start', account: 'demo', run: 'by hand', days: ['2026-07-01'] });
      return d.rows('calls');
    },
  ],
  ['a callback that is derived again', () => derivedAgain(summary)],
  ['a record of the report that is derived again', () => derivedAgain(reported, 'report')],
];

describe.each(paths)('what is read from %s', (path, read) => {
  it('is read by all settings of its account', async () => {
    const rows = await read();

    expect(rows.filter(({ kind }) => kind === 'call')).toMatchObject([
      {
        ...{ status: 'not-answered', timeZone: 'Europe/London', durationSeconds: 240, comments: ['apiKey=***'] },
        ...{ startedAt: '2026-07-01T09:00:00.000Z', endedAt: '2026-07-01T09:05:00.000Z' },
      },
    ]);
    for (const row of rows.filter(({ kind }) => kind === 'participant'))
      expect(row).toMatchObject({ dialStatus: 'no-response', startedAt: '2026-07-01T09:00:00.000Z' });
    expect(rows.flatMap((row) => Object.keys(row))).not.toContainEqual(expect.stringMatching(/AsSent$/));
    expect(decompressed(JSON.stringify(rows))).not.toContain('demo-key');
  });

  it('says where it came from', async () => {
    const row = (await read()).find(({ kind }) => kind === 'call');
    const source = path.includes('report') ? 'report' : undefined;

    expect([row?.['source'], Object(row?.['deliveries'])[0].source]).toEqual([source, source]);
  });
});
