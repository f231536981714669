import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import { ok } from '../../lib/core/result.ts';
import type { ReportRequest, ReportService } from '../../lib/reconcile/call-report.ts';
import { type ReconcileMessage, reconcileCalls } from '../../lib/reconcile/reconcile-calls.ts';
import { type Reconciliation, reconciliationKey, reconciliationOf } from '../../lib/reconcile/reconciliation.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';
import type { GetToken } from '../../lib/telephony/service/token-cache.ts';
import { answer, type ServiceAnswer } from '../deployment/telephony.ts';
import { kolkataAccount } from '../fixtures/accounts.ts';
import { manualClock } from './manual-clock.ts';
import { fixedAccounts, generousDeadline, recordingTelemetry } from './memory-ports.ts';
import { memoryAgentTable, memoryVersionedRows } from './memory-tables.ts';

/** A record of the report: the fields of one leg. */
export type ReportRecord = Readonly<Record<string, unknown>>;

/** The report of a service by day, such as 2026-11-20, in pages as the service makes them. */
export const reportOf =
  (days: Readonly<Record<string, readonly ReportRecord[]>>) =>
  ({ url, body }: ReportRequest): ServiceAnswer => {
    const day = String(JSON.parse(body).fromDate).slice(0, 10);
    const records = days[day] ?? [];
    const { pageNo, pageSize } = Object.fromEntries(new URL(url).searchParams);
    if (pageNo === undefined) return answer({ status: 'success', message: 'success', details: records });
    const from = (Number(pageNo) - 1) * Number(pageSize);
    const details = records.slice(from, from + Number(pageSize));
    return answer({ status: 'success', message: 'success', totalCount: records.length, details });
  };

interface Queued {
  readonly message: ReconcileMessage;
  readonly dueMs: number;
}

interface Setting {
  readonly account?: PolledAccount;
  readonly start?: string;
  /** A clock that others have too, and telemetry instead of the recorded one. */
  readonly time?: ReturnType<typeof manualClock>;
  readonly telemetry?: Telemetry;
  /** The service's answer to a request. */
  readonly answer?: (request: ReportRequest) => ServiceAnswer;
  /** The account's token; by default its fixed one, or `token`. */
  readonly getToken?: GetToken;
  /** Called before and after each effect on the world; an error that it throws is a crash of the function. */
  readonly onEffect?: (effect: string) => void;
}

/** After a crash the queue shows a message again after this time, in milliseconds. */
const visibilityMs = 6 * 60_000;

/**
 * Reconciliation of an account over tables in memory, a queue that delays messages, and a clock that moves on to the next
 * message. A message whose function crashed or failed is shown again.
 */
export const reconciledCentre = (setting: Setting = {}) => {
  const { account = kolkataAccount, start = '2026-11-20T06:00:00.000Z', onEffect = () => undefined } = setting;
  const { time = manualClock(start) } = setting;
  const telemetry = recordingTelemetry();
  const agents = memoryAgentTable((call) => onEffect(`state ${call}`));
  const stream: { readonly before: unknown; readonly after: unknown }[] = [];
  const rows = memoryVersionedRows((before, after) => stream.push({ before, after }));
  const requests: { readonly atMs: number; readonly request: ReportRequest }[] = [];
  const queue: Queued[] = [];
  let answer = setting.answer ?? reportOf({});
  let ids = 0;

  const service: ReportService = {
    async get(request) {
      onEffect('before request');
      requests.push({ atMs: time.now(), request });
      const answered = answer(request);
      onEffect('after request');
      return answered;
    },
  };
  const send = async (message: ReconcileMessage, delaySeconds: number) => {
    onEffect('before send');
    queue.push({ message, dueMs: time.now() + delaySeconds * 1_000 });
    onEffect('after send');
  };
  const calls = {
    retentionDays: 730,
    clock: time.clock,
    rows: {
      putNextVersion: async (...args: Parameters<typeof rows.putNextVersion>) => {
        onEffect('before put');
        const result = await rows.putNextVersion(...args);
        onEffect('after put');
        return result;
      },
    },
    read: async (keys: readonly { readonly pk: string }[]) => {
      const wanted = new Set(keys.map(({ pk }) => pk));
      return rows.select(({ pk, sk }) => sk === 'call' && wanted.has(pk));
    },
  };
  const handle = reconcileCalls({
    ...{ telemetry: setting.telemetry ?? telemetry, service, send, calls },
    table: agents,
    accounts: fixedAccounts([account]),
    getToken: setting.getToken ?? (async () => ok(account.token.kind === 'static' ? account.token.value : 'token')),
    newId: () => `run-${++ids}`,
    settleSeconds: 900,
    clock: time.clock,
    deadline: generousDeadline,
  });

  const next = (): Queued | undefined => queue.toSorted((a, b) => a.dueMs - b.dueMs)[0];
  /** Handles the next message. */
  const step = async (): Promise<boolean> => {
    const queued = next();
    if (queued === undefined) return false;
    time.advance(Math.max(0, queued.dueMs - time.now()));
    try {
      await handle(queued.message);
      queue.splice(queue.indexOf(queued), 1);
    } catch {
      queue.splice(queue.indexOf(queued), 1, { ...queued, dueMs: time.now() + visibilityMs });
    }
    return true;
  };

  return {
    ...{ time, telemetry, requests, queue, stream, step, account, handle },
    /** Replaces the service's answers. */
    answerBy(by: (request: ReportRequest) => ServiceAnswer) {
      answer = by;
    },
    /** Puts a message into the queue. */
    post: (message: ReconcileMessage = { kind: 'all' }) => queue.push({ message, dueMs: time.now() }),
    /** Handles messages until none is left. */
    async settle() {
      for (let steps = 0; await step(); steps++) if (steps > 2_000) throw new Error('The queue never gets empty');
    },
    record: recordDelivery({ ...calls, rows }),
    records: () => rows.select(({ sk }) => sk === 'call').map(recordOf),
    rows: () => rows.select(),
    state: async (): Promise<Reconciliation> => {
      const { pk, sk } = reconciliationKey(account.userName);
      const [row] = agents.all().filter((found) => found['pk'] === pk && found['sk'] === sk);
      return reconciliationOf(account.userName, row);
    },
  };
};
