import { answerKinds } from '../answers/answer-quirks.ts';
import { AnswersRequest } from '../answers/answers-request.ts';
import type { PendingAnswers } from '../answers/pending-answers.ts';
import type { Answer } from '../delivery/send.ts';
import { kinds } from '../kinds.ts';
import type { ScriptOutcome } from '../script/script.ts';
import { mostScriptBytes } from '../script/steps.ts';
import { CallsRequest } from './calls-request.ts';
import { requestFrom } from './request-from.ts';
import type { Reply, Routes } from './routes.ts';

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
    mostBytes: mostScriptBytes,
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
export const countsOf = (answers: readonly Answer[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => String(answer))].map(([answer, same]) => [answer, same.length]),
  );
