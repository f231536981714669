import type * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { type Answer, type Handle, jsonAnswer, problemsOf, type Route, type Routes, routed } from '../frame/serve.ts';
import { accountNamed, accountReports, byUserName, type ServedAccount } from './accounts.ts';
import { AnswersRequest, type PendingAnswers, pendingKinds } from './answers.ts';
import { type CallReport, ReportRequest } from './call-report.ts';
import { CallsRequest, type CallsSent } from './calls-on-request.ts';
import type { Outbox } from './outbox.ts';
import type { Recordings } from './recordings.ts';
import { kinds } from './simulated-call.ts';

interface Controlled {
  readonly seed: number;
  readonly accounts: readonly ServedAccount[];
  readonly pending: PendingAnswers;
  readonly outbox: Outbox;
  readonly recordings: Recordings;
  readonly callReport: CallReport;
  readonly sendCalls: (request: CallsRequest) => Promise<CallsSent>;
  readonly now: () => number;
}

export const controlHandle = (parts: Controlled): Handle => {
  const { seed, accounts, pending, outbox, recordings, callReport, sendCalls, now } = parts;
  const noAccount = () =>
    badRequest(`There is no such account. There are: ${accounts.map(({ userName }) => userName).join(', ')}.`);

  const routes: Routes = {
    'GET /_simulator': () =>
      jsonAnswer(200, {
        seed,
        ...outbox.report(),
        accounts: accountReports(accounts, now()),
        pendingAnswers: pending.remaining(),
        kinds,
        answerKinds: pendingKinds,
      }),
    'GET /_simulator/calls': () => jsonAnswer(200, { calls: callReport.calls() }),
    'GET /_simulator/recordings': () => jsonAnswer(200, { recordings: recordings.served() }),
    'POST /_simulator/calls': withBody(CallsRequest, async (request) => jsonAnswer(200, await sendCalls(request))),
    'POST /_simulator/report': withBody(ReportRequest, ({ account, ...changes }) => {
      const chosen = accounts.filter((one) => account === undefined || one === accountNamed(accounts, account));
      if (chosen.length === 0) return noAccount();
      for (const { report } of chosen) report.change(changes);
      return jsonAnswer(
        200,
        byUserName(accounts, ({ report }) => report.settings()),
      );
    }),
    'POST /_simulator/answers': withBody(AnswersRequest, (request) =>
      pending.add(request) ? jsonAnswer(200, { pendingAnswers: pending.remaining() }) : noAccount(),
    ),
  };
  const paths = Object.keys(routes).join(', ');
  return routed(routes, jsonAnswer(404, { message: `The simulator has no such path. It has: ${paths}.` }));
};

const badRequest = (message: string): Answer => jsonAnswer(400, { status: 'error', message });

const withBody =
  <Body extends z.ZodObject>(schema: Body, answer: (body: z.output<Body>) => Answer | Promise<Answer>): Route =>
  ({ body }) => {
    const request = schema.safeParse(body.trim() === '' ? {} : tryParseJson(body));
    if (request.success) return answer(request.data);
    const fields = Object.keys(schema.shape).join(', ');
    return badRequest(`${problemsOf(request.error)}. Send a JSON object with any of ${fields}.`);
  };
