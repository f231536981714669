import {
  type Reconciliation,
  reconciliationKey,
  reconciliationOf,
  reportRateLimit,
} from '../../functions/reconcile-calls/reconciliation.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import type { KeyedDelivery } from '../../lib/callback/normalise-records.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import type { Delivery } from '../../lib/calls/merge-deliveries.ts';
import type { ServiceRequest } from '../../lib/service/service.ts';
import { type Deployment, deployment, reportOf, type ServiceAnswer } from '../deployment/index.ts';
import { kolkataAccount } from '../fixtures/accounts.ts';
import { generousDeadline } from './memory-ports.ts';
import { keyedDelivery } from './posted-records.ts';

/** A record of the report: the fields of one leg. */
export type ReportRecord = Readonly<Record<string, unknown>>;

/** A record of the report, of a call with this id. */
export const leg = (id: number, fields: ReportRecord = {}): ReportRecord => ({
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

export const legs = (count: number, fields?: ReportRecord) =>
  Array.from({ length: count }, (_, index) => leg(index + 1, fields));

/** The callback about the same call. */
export const callback = (id: number, fields: object = {}) =>
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

export const dayOf = ({ body }: ServiceRequest): string => JSON.parse(body).fromDate.slice(0, 10);
export const pageOf = ({ url }: Pick<ServiceRequest, 'url'>): string | null => new URL(url).searchParams.get('pageNo');

/** The most requests in any window of the limit, by the service's clock. */
export const busiestWindow = ({ service }: Pick<Deployment, 'service'>): number => {
  const times = service.requests('report').map(({ at }) => Date.parse(at));
  return Math.max(
    0,
    ...times.map((from) => times.filter((at) => at >= from && at <= from + reportRateLimit.windowMs).length),
  );
};

export const today = '2026-11-20';
export const byHand = { kind: 'start', account: 'demo', run: 'by hand', days: [today] } as const;

interface Setting {
  readonly account?: PolledAccount;
  readonly secret?: string;
  readonly start?: string;
  readonly answer?: (request: ServiceRequest) => ServiceAnswer;
  readonly tokens?: readonly (ServiceAnswer | (() => ServiceAnswer))[];
}

/** A deployment whose service answers so, with its calls as records, and the state of reconciling. */
export const reconciledCentre = async ({
  account = kolkataAccount,
  answer = reportOf({}),
  tokens,
  ...setting
}: Setting = {}) => {
  const d = await deployment({
    accounts: [account],
    ...(setting.secret !== undefined && { secret: setting.secret }),
    startedAt: setting.start ?? '2026-11-20T06:00:00.000Z',
    service: { report: [answer], ...(tokens !== undefined && { token: tokens }) },
  });
  const { calls } = d.stores();
  const state = async (): Promise<Reconciliation> => {
    const { pk, sk } = reconciliationKey('demo');
    const row = (await d.rows('agents')).find((found) => found['pk'] === pk && found['sk'] === sk);
    return reconciliationOf('demo', row);
  };
  return {
    ...d,
    state,
    /** A person has days read. Answers what is known afterwards. */
    async read(run = 'by hand', days: readonly string[] = [today]) {
      await d.reconcile({ ...byHand, run, days });
      return state();
    },
    answerBy: (next: (request: ServiceRequest) => ServiceAnswer) => d.service.answers({ report: [next] }),
    record: ({ key, delivery }: KeyedDelivery, more: Partial<Delivery> = {}) =>
      calls.record(key, { ...delivery, ...more }, generousDeadline()),
    records: async () => (await d.rows('calls')).filter(({ kind }) => kind === 'call').map(recordOf),
    /** How often a row of a call was written. */
    writes: () => d.changes().filter(({ after }) => after?.['kind'] === 'call').length,
  };
};
