import { specificationLogins, tokenAccount } from '../../fixtures/accounts.ts';
import { errorText, success } from '../../support/agent-polling.ts';
import { summaryWith } from '../../support/call-records.ts';
import { polling } from './agent-scenarios.ts';
import { calls, receiving, recovering, screenPops } from './callback-scenarios.ts';
import { publishing } from './publishing-faults.ts';
import type { Scenario } from './scenario.ts';

/** Scenarios of a healthy deployment, which must raise no alarm. */
export const healthyScenarios: readonly Scenario[] = [
  {
    what: 'Calls arrive, one of them twice, and an unknown sender posts once.',
    cause: ({ deployment }) =>
      receiving({
        deployment,
        posts: [summaryWith(), summaryWith(), summaryWith({ monitorUCID: '7' }), summaryWith({ Apikey: 'unknown' })],
      }),
  },
  {
    what: 'The service posts calls, and screen pops all day.',
    cause: ({ deployment }) =>
      receiving({ deployment, posts: [...calls(4), ...screenPops(50), ...calls(4)], everyMs: 60_000 }),
  },
  {
    what: 'A parked call is recovered at once.',
    cause: ({ deployment, queue }) => recovering({ deployment, queue, downMinutes: 0, minutes: 10 }),
  },
  {
    what: 'The bus rejects an event once.',
    cause: ({ deployment, subscriptions }) => publishing({ deployment, subscriptions, downMinutes: 1, minutes: 10 }),
  },
  {
    what: 'Agents are polled with a token, and a tick arrives late.',
    cause: ({ deployment }) =>
      polling({
        deployment,
        minutes: 19,
        account: tokenAccount as never,
        ticks: (minute) => (minute === 3 ? [1, 200] : [1]),
      }),
  },
];

/** Scenarios that emit the remaining metrics. They are not checked for alarms. */
export const otherScenarios: readonly Scenario[] = [
  {
    what: 'Two runs handle a tick at the same time, and one meets a conflict.',
    cause: ({ deployment }) => polling({ deployment, minutes: 1, processes: 2 }),
  },
  {
    what: 'The rate limit is reached, and the next polls are skipped.',
    cause: ({ deployment }) =>
      polling({
        deployment,
        minutes: 3,
        replyAt: (minute) => (minute < 1 ? errorText('Max limit exceeded') : success(specificationLogins)),
      }),
  },
];
