import type { Answer } from '../delivery/send.ts';
import { type CallsRequest, callsRequestFrom } from './calls-request.ts';
import type { Routes } from './routes.ts';

/** What was sent on demand. No personal data: ids of calls and numbers of posts. */
export interface CallsSent {
  readonly callIds: readonly string[];
  /** All posts of these calls, those to come included. */
  readonly posts: number;
  /** Posts that leave later by themselves. */
  readonly later: number;
  /** What the posts that were due at once were answered in the end, by HTTP status, `timeout` or `network`. */
  readonly answers: Readonly<Record<string, number>>;
}

/** What the control endpoints act on. */
export interface Controlled {
  readonly sendCalls: (request: CallsRequest) => Promise<CallsSent>;
  readonly report: () => unknown;
}

/**
 * The endpoints that steer the simulator; none of them belongs to the service it plays.
 *
 * - `POST /_simulator/calls` sends calls at once, also where there is no traffic, and answers `CallsSent`. The body is
 *   JSON as `CallsRequest` has it; 400 says what is wrong with it.
 * - `GET /_simulator` tells what was sent so far, what it was answered, and the kinds that can be asked for.
 */
export const controlRoutes = ({ sendCalls, report }: Controlled): Routes => ({
  'GET /_simulator': async () => ({ status: 200, body: report() }),
  'POST /_simulator/calls': async (body) => {
    const request = callsRequestFrom(body);
    if ('wrong' in request) return { status: 400, body: { status: 'error', message: request.wrong } };

    return { status: 200, body: await sendCalls(request) };
  },
});

/** Counts answers by what they are. */
export const countsOf = (answers: readonly Answer[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => String(answer))].map(([answer, same]) => [answer, same.length]),
  );
