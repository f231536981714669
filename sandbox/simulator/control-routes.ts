import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type Handle, jsonAnswer } from '../http/serve.ts';
import { kinds } from './call-quirks.ts';
import type { DeliveryOutcome } from './delivery/send.ts';
import type { MadeCall } from './report/call-report.ts';
import { ReportRequest, type ReportSettings } from './report/report-settings.ts';
import { maxScriptBytes, type ScriptOutcome } from './script.ts';
import { AnswersRequest, type PendingAnswers, pendingKinds } from './service/pending-answers.ts';
import { notFound, pathOf } from './service/responses.ts';

/** The body of `POST /_simulator/calls`; an empty body is an empty object. */
export const CallsRequest = z.strictObject({
  count: z.int().min(1).max(1000).default(1),
  /** A scenario or quirk that every call has. Default: a mixture. */
  kind: z.enum(kinds).optional(),
  /** The same seed makes the same calls, except for their times. */
  seed: z.int().optional(),
  /** When the first posts are due (ISO 8601). The times of the calls follow from it. Default: now. */
  at: z.iso.datetime({ offset: true }).optional(),
  /** The calls are spread evenly over this time, beginning with `at`. Their first posts are due at once all the same. */
  spreadSeconds: z.number().min(0).max(86_400).default(0),
  /** Which callbacks are sent. Default: all, unless a fault loses them or makes them poorer. */
  callbacks: z.enum(['all', 'none', 'poorer']).optional(),
  /** Multiplies the waits between the posts of a call. 0 sends all posts in order before the answer. */
  pace: z.number().min(0).max(100).optional(),
});
export type CallsRequest = z.infer<typeof CallsRequest>;

/** The calls that were sent on request. It holds call ids and counts, no personal data. */
export interface CallsSent {
  readonly callIds: readonly string[];
  /** All posts of these calls, including later ones. */
  readonly posts: number;
  /** Posts that are sent later. */
  readonly later: number;
  /** Outcomes of the posts that were due at once, by HTTP status, `timeout` or `network`. */
  readonly answers: Readonly<Record<string, number>>;
}

/** The parts of the simulator that the control endpoints use. */
export interface Controlled {
  readonly sendCalls: (request: CallsRequest) => Promise<CallsSent>;
  readonly pending: Pick<PendingAnswers, 'add' | 'remaining'>;
  readonly script: (body: string) => ScriptOutcome;
  readonly agents: () => unknown;
  readonly report: () => object;
  /** All calls of the account that has calls, as they were made. */
  readonly calls: () => readonly MadeCall[];
  /** Changes how call reports behave. Answers the settings by account; undefined if there is no such account. */
  readonly changeReports: (request: ReportRequest) => Readonly<Record<string, ReportSettings>> | undefined;
}

/**
 * The endpoints that control the simulator. The simulated service has none of them.
 *
 * - `POST /_simulator/calls` sends calls at once, with or without traffic, and answers `CallsSent`. The body is a
 *   `CallsRequest`; the answer 400 names what is wrong with it.
 * - `GET /_simulator/calls` lists the calls that the report has, and whether their callbacks were sent.
 * - `POST /_simulator/report` changes how the call reports behave. The body is a `ReportRequest`.
 * - `POST /_simulator/answers` replaces the next answers of getAgentLogins or of the call report. The body is an `AnswersRequest`.
 * - `POST /_simulator/agents` logs agents in and out by one step or a list of steps; `GET` lists who is logged in.
 * - `GET /_simulator` shows counts of posts and requests so far, and the kinds that can be requested.
 */
export const controlRoutes = ({
  sendCalls,
  pending,
  script,
  agents,
  report,
  calls,
  changeReports,
}: Controlled): Routes => ({
  'GET /_simulator': {
    reply: async () => ({
      status: 200,
      body: { ...report(), pendingAnswers: pending.remaining(), kinds, answerKinds: pendingKinds },
    }),
  },
  'GET /_simulator/calls': { reply: async () => ({ status: 200, body: { calls: calls() } }) },
  'POST /_simulator/report': {
    async reply(body) {
      const request = parseRequest(ReportRequest, body);
      if (!request.ok) return badRequest(request.problem);

      const changed = changeReports(request.value);
      return changed === undefined ? badRequest('There is no such account') : { status: 200, body: changed };
    },
  },
  'GET /_simulator/agents': { reply: async () => ({ status: 200, body: agents() }) },
  'POST /_simulator/agents': {
    maxBytes: maxScriptBytes,
    async reply(body) {
      const outcome = script(body);
      return outcome.ok
        ? { status: 200, body: outcome.value }
        : { status: outcome.problem.status, body: { message: outcome.problem.message } };
    },
  },
  'POST /_simulator/answers': {
    async reply(body) {
      const request = parseRequest(AnswersRequest, body);
      if (!request.ok) return badRequest(request.problem);

      return pending.add(request.value)
        ? { status: 200, body: { pendingAnswers: pending.remaining() } }
        : badRequest('There is no such account');
    },
  },
  'POST /_simulator/calls': {
    async reply(body) {
      const request = parseRequest(CallsRequest, body);
      return request.ok ? { status: 200, body: await sendCalls(request.value) } : badRequest(request.problem);
    },
  },
});

/** Parses a body, or names what is wrong with it. An empty body is an empty object. */
const parseRequest = <Schema extends z.ZodType>(schema: Schema, body: string): Result<z.infer<Schema>, string> => {
  const request = schema.safeParse(body.trim() === '' ? {} : tryParseJson(body));
  return request.success ? ok(request.data) : fail(z.prettifyError(request.error));
};

const badRequest = (message: string): Reply => ({ status: 400, body: { status: 'error', message } });

/** An answer in JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Handles the requests to one method and path. */
export interface Route {
  readonly reply: (body: string) => Promise<Reply>;
  /** Limit of the body. Default: 100,000 bytes. */
  readonly maxBytes?: number;
}

/** Routes by method and path, such as `GET /_simulator`. */
export type Routes = Readonly<Record<string, Route>>;

const defaultMaxBytes = 100_000;

/** Dispatches requests to their routes. */
export const routed =
  (routes: Routes): Handle =>
  async (request) => {
    const name = `${request.method} ${pathOf(request)}`;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route === undefined) return notFound;
    if (request.body.length > (route.maxBytes ?? defaultMaxBytes))
      return jsonAnswer(413, { status: 'error', message: 'Body too large' });

    const { status, body } = await route.reply(request.body.toString());
    return jsonAnswer(status, body);
  };

/** Counts outcomes by their value. */
export const countsOf = (answers: readonly DeliveryOutcome[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => String(answer))].map(([answer, same]) => [answer, same.length]),
  );
