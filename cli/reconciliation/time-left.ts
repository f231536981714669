import { pagesOf } from '../../functions/reconcile-calls/day-reading.ts';
import { type Reconciliation, type Run, reportRateLimit } from '../../functions/reconcile-calls/reconciliation.ts';
import { capacityAt } from '../../lib/service/rate-limit.ts';

/** What a step takes besides waiting for the limit: its message arrives a second late. */
const stepMs = 2_000;

type Unread = Pick<Run, 'days' | 'page' | 'done' | 'dueAt'> & Partial<Pick<Run, 'soFar' | 'total'>>;

/** How long the rest of a run takes, in seconds: the limit decides that, and how many pages the days have. */
export const secondsLeft = (state: Pick<Reconciliation, 'requests' | 'days'>, run: Unread, now: Date): number => {
  let requests: readonly number[] = state.requests;
  let atMs = Math.max(now.getTime(), Date.parse(run.dueAt));
  for (let left = pagesLeft(state, run); left > 0; left -= 1) {
    atMs = capacityAt(reportRateLimit, requests, atMs) + stepMs;
    requests = [...requests, atMs];
  }
  return Math.round((atMs - now.getTime()) / 1000);
};

/** A day that was read before is expected to have as many pages again. Any other day gets the average of this run. */
const pagesLeft = ({ days }: Pick<Reconciliation, 'days'>, run: Unread): number => {
  const done = Object.values(run.done);
  const usual = done.reduce((sum, counts) => sum + pagesOf(counts), 0) / Math.max(1, done.length);
  const pages = run.days.map((day) => {
    const read = days[day];
    return read === undefined ? Math.max(1, Math.ceil(usual)) : pagesOf(read);
  });
  const [present = 1] = pages;
  return pages.reduce((sum, count) => sum + count, 0) - present + pagesLeftOfDay(run, present);
};

/**
 * Later pages are expected to hold as many records as those read. If the service gives no total, one page or what is left of
 * `expected` remains.
 */
const pagesLeftOfDay = ({ page, soFar, total = 0 }: Unread, expected: number): number => {
  const read = page - 1;
  const records = soFar?.records ?? 0;
  if (total <= records || read === 0) return Math.max(1, expected - read);
  return Math.ceil((total - records) / Math.max(1, records / read));
};
