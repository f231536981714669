import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { type Handle, jsonAnswer } from '../http/serve.ts';
import { kinds } from './call-quirks.ts';
import type { DeliveryOutcome } from './delivery/send.ts';
import { maxScriptBytes, type ScriptOutcome } from './script.ts';
import { AnswersRequest, answerKinds, type PendingAnswers } from './service/answer-quirks.ts';
import { notFound, pathOf } from './service/responses.ts';

/** The body of `POST /_simulator/calls`; an empty body is an empty object. */
export const CallsRequest = z.strictObject({
  /** How many calls. */
  count: z.int().min(1).max(1000).default(1),
  /** A scenario or quirk, shown by every one of them; without it, a mixture. */
  kind: z.enum(kinds).optional(),
  /** The same seed gives the same calls, their times apart. */
  seed: z.int().optional(),
  /** When the first posts are due, as an instant in ISO 8601: the times of the calls follow from it. Now, unless told. */
  at: z.iso.datetime({ offset: true }).optional(),
  /** Multiplies the waits between the posts of a call; 0 sends all in order and answers when all are sent. */
  pace: z.number().min(0).max(100).optional(),
});
export type CallsRequest = z.infer<typeof CallsRequest>;

/** What a body asks for, or what is wrong with it. An empty body is an empty object. */
const requestFrom = <Schema extends z.ZodType>(
  schema: Schema,
  body: string,
): { readonly asked: z.infer<Schema> } | { readonly wrong: string } => {
  const request = schema.safeParse(body.trim() === '' ? {} : tryParseJson(body));
  return request.success ? { asked: request.data } : { wrong: z.prettifyError(request.error) };
};

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
  readonly pending: Pick<PendingAnswers, 'add' | 'left'>;
  readonly script: (body: string) => ScriptOutcome;
  readonly agents: () => unknown;
  readonly report: () => object;
}

const wrong = (message: string): Reply => ({ status: 400, body: { status: 'error', message } });

/**
 * The endpoints that steer the simulator; none of them belongs to the service it plays.
 *
 * - `POST /_simulator/calls` sends calls at once, also where there is no traffic, and answers `CallsSent`. The body is
 *   JSON as `CallsRequest` has it; 400 says what is wrong with it.
 * - `POST /_simulator/answers` has getAgentLogins answer otherwise for a while, as `AnswersRequest` has it.
 * - `POST /_simulator/agents` scripts who is logged in, by a step or a list of them; `GET` tells who is.
 * - `GET /_simulator` tells what was sent and asked so far, and the kinds that can be asked for.
 */
export const controlRoutes = ({ sendCalls, pending, script, agents, report }: Controlled): Routes => ({
  'GET /_simulator': {
    reply: async () => ({ status: 200, body: { ...report(), pendingAnswers: pending.left(), kinds, answerKinds } }),
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
      const request = requestFrom(AnswersRequest, body);
      if ('wrong' in request) return wrong(request.wrong);

      return pending.add(request.asked)
        ? { status: 200, body: { pendingAnswers: pending.left() } }
        : wrong('There is no such account');
    },
  },
  'POST /_simulator/calls': {
    async reply(body) {
      const request = requestFrom(CallsRequest, body);
      return 'wrong' in request ? wrong(request.wrong) : { status: 200, body: await sendCalls(request.asked) };
    },
  },
});

/** Counts answers by what they are. */
export const countsOf = (answers: readonly DeliveryOutcome[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => String(answer))].map(([answer, same]) => [answer, same.length]),
  );

/** An answer in JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request by its body. */
export interface Route {
  readonly reply: (body: string) => Promise<Reply>;
  /** How long a body may be; 100,000 bytes unless told. */
  readonly maxBytes?: number;
}

/** Routes by method and path, as in `GET /_simulator`. */
export type Routes = Readonly<Record<string, Route>>;

const defaultMaxBytes = 100_000;

/** Answers by routes. */
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
