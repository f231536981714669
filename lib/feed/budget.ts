/**
 * A limit over any window of time. Requests are remembered by the latest instant (milliseconds) at which they can have
 * reached the service, so that the limit holds by its clock however long a request was under way.
 */
export interface Budget {
  readonly most: number;
  readonly perMs: number;
}

/** Spec: at most 5 requests of getAgentLogins a minute. */
export const pollBudget: Budget = { most: 5, perMs: 60_000 };

/** Practice: at most 10 tokens an hour. */
export const tokenBudget: Budget = { most: 10, perMs: 60 * 60_000 };

/** The requests that still count. */
export const recent = ({ perMs }: Budget, requests: readonly number[], nowMs: number): readonly number[] =>
  requests.filter((arrivedBy) => arrivedBy >= nowMs - perMs);

/** Whether one more may be sent. */
export const hasRoom = (budget: Budget, requests: readonly number[], nowMs: number): boolean =>
  recent(budget, requests, nowMs).length < budget.most;

/** From when on one more may be sent, in milliseconds: now, or once enough of those before have left the window. */
export const roomAt = (budget: Budget, requests: readonly number[], nowMs: number): number => {
  const [oldest] = recent(budget, requests, nowMs)
    .toSorted((a, b) => b - a)
    .slice(budget.most - 1, budget.most);
  return oldest === undefined ? nowMs : oldest + budget.perMs + 1;
};
