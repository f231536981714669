import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Clock } from '../clock.ts';
import { type Answer, jsonAnswer, problemsOf, type Route, type Routes } from '../http/serve.ts';
import type { Outbox } from './delivery/outbox.ts';
import type { Floor } from './floor/floor.ts';
import { fork, type Random, seededRandom } from './random.ts';
import type { ServedRecording } from './recordings.ts';
import type { MadeCall } from './report/call-report.ts';
import type { ScriptOutcome } from './script.ts';
import { AnswersRequest, type PendingAnswers, pendingKinds } from './service/answers.ts';
import { ReportRequest, type ReportSettings, type SimulatedAccount } from './settings.ts';
import { kinds, simulatedCall } from './simulated-call.ts';

/** The parts of the simulator that the control endpoints use. */
export interface Controlled {
  readonly sendCalls: (request: CallsRequest) => Promise<CallsSent>;
  readonly pending: Pick<PendingAnswers, 'add' | 'remaining'>;
  readonly script: (body: string) => ScriptOutcome;
  readonly agents: () => unknown;
  readonly accountNames: () => readonly string[];
  readonly report: () => object;
  /** All calls of the account that has calls, as they were made. */
  readonly calls: () => readonly MadeCall[];
  readonly recordings: () => readonly ServedRecording[];
  /** Changes how call reports behave. Answers the settings by account; undefined if there is no such account. */
  readonly changeReports: (request: ReportRequest) => Readonly<Record<string, ReportSettings>> | undefined;
}

/**
 * The endpoints that control the simulator. The simulated service has none of them.
 *
 * - `POST /_simulator/calls` sends calls at once, with or without traffic, and answers `CallsSent`. The body is a
 *   `CallsRequest`; the answer 400 names what is wrong with it.
 * - `GET /_simulator/calls` lists the calls that the report has, and whether their callbacks were sent.
 * - `GET /_simulator/recordings` lists the recordings that were asked for, and when each was served whole.
 * - `POST /_simulator/report` changes how the call reports behave. The body is a `ReportRequest`.
 * - `POST /_simulator/answers` replaces the next answers of getAgentLogins or of the call report. The body is an `AnswersRequest`.
 * - `POST /_simulator/agents` logs agents in and out by one step or a list of steps; `GET` lists who is logged in.
 * - `GET /_simulator` shows counts of posts and requests so far, and the kinds that can be requested.
 */
export const controlRoutes = (controlled: Controlled): Routes => {
  const { pending } = controlled;
  const noAccount = () => badRequest(`There is no such account. There are: ${controlled.accountNames().join(', ')}.`);

  return {
    'GET /_simulator': () =>
      jsonAnswer(200, {
        ...controlled.report(),
        pendingAnswers: pending.remaining(),
        kinds,
        answerKinds: pendingKinds,
      }),
    'GET /_simulator/calls': () => jsonAnswer(200, { calls: controlled.calls() }),
    'GET /_simulator/recordings': () => jsonAnswer(200, { recordings: controlled.recordings() }),
    'POST /_simulator/calls': withBody(CallsRequest, async (request) =>
      jsonAnswer(200, await controlled.sendCalls(request)),
    ),
    'POST /_simulator/report': withBody(ReportRequest, (request) => {
      const changed = controlled.changeReports(request);
      return changed === undefined ? noAccount() : jsonAnswer(200, changed);
    }),
    'GET /_simulator/agents': () => jsonAnswer(200, controlled.agents()),
    'POST /_simulator/agents': ({ body }) => answerScript(controlled.script(body)),
    'POST /_simulator/answers': withBody(AnswersRequest, (request) =>
      pending.add(request) ? jsonAnswer(200, { pendingAnswers: pending.remaining() }) : noAccount(),
    ),
  };
};

/** The answer to a script of agents. */
export const answerScript = (outcome: ScriptOutcome): Answer =>
  outcome.ok
    ? jsonAnswer(200, outcome.value)
    : jsonAnswer(outcome.problem.status, { message: outcome.problem.message });

const badRequest = (message: string): Answer => jsonAnswer(400, { status: 'error', message });

/** A route with a schema for its body. An empty body is an empty object. */
const withBody =
  <Body extends z.ZodObject>(schema: Body, answer: (body: z.output<Body>) => Answer | Promise<Answer>): Route =>
  ({ body }) => {
    const request = schema.safeParse(body.trim() === '' ? {} : tryParseJson(body));
    if (request.success) return answer(request.data);
    const fields = Object.keys(schema.shape).join(', ');
    return badRequest(`${problemsOf(request.error)}. Send a JSON object with any of ${fields}.`);
  };

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
  /**
   * Multiplies the waits between the posts of a call. With 1 a late disposition takes 20 to 40 s; 10 is realistic. 0 sends
   * all posts in order before the answer.
   */
  pace: z.number().min(0).max(100).default(1),
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

/** Settings of calls on request. */
export interface OnRequestSettings {
  /** Used if a request names no seed. */
  readonly random: Random;
  /** A floor without calls: calls on request are already over and take no agent from the traffic. */
  readonly floor: () => Floor;
  readonly account: () => SimulatedAccount;
  readonly clock: Clock;
  readonly launch: Outbox['launch'];
}

/** Sends the calls of a request. */
export const callsOnRequest =
  ({ random, floor, account, clock, launch }: OnRequestSettings) =>
  async ({ count, kind, seed, at, spreadSeconds, callbacks, pace }: CallsRequest): Promise<CallsSent> => {
    const source = seed === undefined ? random : seededRandom(seed);
    const firstAt = at === undefined ? clock.now() : Date.parse(at);
    const simulated = Array.from({ length: count }, (_, index) =>
      simulatedCall(fork(source), firstAt + (index * spreadSeconds * 1000) / count, floor(), account(), kind),
    );

    const launched = simulated.map((call) => launch(call, pace, callbacks));
    const answers = (await Promise.all(launched.map(({ atOnce }) => atOnce))).flat();
    const posts = launched.flatMap((call) => call.posts);
    return {
      callIds: simulated.flatMap(({ calls }) => calls.map(({ id }) => id)),
      posts: posts.length,
      later: posts.filter(({ afterSeconds }) => afterSeconds * pace > 0).length,
      answers: Object.fromEntries([...Map.groupBy(answers, String)].map(([answer, same]) => [answer, same.length])),
    };
  };
