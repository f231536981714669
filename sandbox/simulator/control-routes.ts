import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { type Answer, jsonAnswer, problemsOf, type Route, type Routes } from '../http/serve.ts';
import { accountNamed, byUserName, type ServedAccount } from './accounts.ts';
import { AnswersRequest, type PendingAnswers, pendingKinds } from './answers.ts';
import type { SimulatedAccount } from './call-fields.ts';
import { type MadeCall, ReportSettings } from './call-report.ts';
import type { Floor } from './floor.ts';
import type { Outbox } from './outbox.ts';
import { fork, type Random, seededRandom } from './random.ts';
import type { ServedRecording } from './recordings.ts';
import { kinds, simulatedCall } from './simulated-call.ts';

interface Controlled {
  readonly served: readonly ServedAccount[];
  readonly sendCalls: (request: CallsRequest) => Promise<CallsSent>;
  readonly pending: Pick<PendingAnswers, 'add' | 'remaining'>;
  readonly report: () => object;
  readonly calls: () => readonly MadeCall[];
  readonly recordings: () => readonly ServedRecording[];
}

/** The endpoints that control the simulator. The simulated service has none of them. docs/sandbox.md says what each does. */
export const controlRoutes = ({ served, sendCalls, pending, ...state }: Controlled): Routes => {
  const noAccount = () =>
    badRequest(`There is no such account. There are: ${served.map(({ userName }) => userName).join(', ')}.`);

  return {
    'GET /_simulator': () =>
      jsonAnswer(200, {
        ...state.report(),
        pendingAnswers: pending.remaining(),
        kinds,
        answerKinds: pendingKinds,
      }),
    'GET /_simulator/calls': () => jsonAnswer(200, { calls: state.calls() }),
    'GET /_simulator/recordings': () => jsonAnswer(200, { recordings: state.recordings() }),
    'POST /_simulator/calls': withBody(CallsRequest, async (request) => jsonAnswer(200, await sendCalls(request))),
    'POST /_simulator/report': withBody(ReportRequest, ({ account, ...changes }) => {
      const chosen = account === undefined ? served : [accountNamed(served, account)].flatMap((one) => one ?? []);
      if (chosen.length === 0) return noAccount();
      for (const { report } of chosen) report.change(changes);
      return jsonAnswer(
        200,
        byUserName(served, ({ report }) => report.settings()),
      );
    }),
    'POST /_simulator/answers': withBody(AnswersRequest, (request) =>
      pending.add(request) ? jsonAnswer(200, { pendingAnswers: pending.remaining() }) : noAccount(),
    ),
  };
};

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

const ReportRequest = ReportSettings.partial().extend({ account: z.string().min(1).optional() });

const CallsRequest = z.strictObject({
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
type CallsRequest = z.infer<typeof CallsRequest>;

/** The calls that were sent on request. It holds call ids and counts, no personal data. */
export type CallsSent = Awaited<ReturnType<ReturnType<typeof callsOnRequest>>>;

interface OnRequestSettings {
  /** Used if a request names no seed. */
  readonly random: Random;
  /** A floor without calls: calls on request are already over and take no agent from the traffic. */
  readonly floor: () => Floor;
  readonly account: () => SimulatedAccount;
  readonly now: () => number;
  readonly launch: Outbox['launch'];
}

export const callsOnRequest =
  ({ random, floor, account, now, launch }: OnRequestSettings) =>
  async ({ count, kind, seed, at, spreadSeconds, callbacks, pace }: CallsRequest) => {
    const source = seed === undefined ? random : seededRandom(seed);
    const firstAt = at === undefined ? now() : Date.parse(at);
    const simulated = Array.from({ length: count }, (_, index) =>
      simulatedCall(fork(source), firstAt + (index * spreadSeconds * 1000) / count, floor(), account(), kind),
    );

    const launched = simulated.map((call) => launch(call, pace, callbacks));
    const answers = (await Promise.all(launched.map(({ atOnce }) => atOnce))).flat();
    return {
      callIds: simulated.flatMap(({ calls }) => calls.map(({ id }) => id)),
      /** With the later ones. */
      posts: launched.reduce((sum, { posts }) => sum + posts, 0),
      later: launched.reduce((sum, { later }) => sum + later, 0),
      /** Outcomes of the posts that were due at once, by HTTP status, `timeout` or `network`. */
      answers: Object.fromEntries([...Map.groupBy(answers, String)].map(([answer, same]) => [answer, same.length])),
    };
  };
