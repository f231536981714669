import { specificationLogins, tokenAccount } from '../../fixtures/accounts.ts';
import { errorText, success } from '../../support/agent-polling.ts';
import { summaryWith } from '../../support/call-records.ts';
import { polling } from './agent-scenarios.ts';
import { calls, receiving, recovering, screenPops } from './callback-scenarios.ts';
import { publishing } from './publishing-faults.ts';
import type { Scenario } from './scenario.ts';

/** A deployment that is well: no alarm may be raised by any of this. */
export const healthyScenarios: readonly Scenario[] = [
  {
    what: 'Calls come, one of them twice, and a stranger once.',
    cause: ({ deployment }) =>
      receiving({
        deployment,
        posts: [summaryWith(), summaryWith(), summaryWith({ monitorUCID: '7' }), summaryWith({ Apikey: 'stranger' })],
      }),
  },
  {
    what: 'The service posts screen pops all day, and calls beside them.',
    cause: ({ deployment }) =>
      receiving({ deployment, posts: [...calls(4), ...screenPops(50), ...calls(4)], everyMs: 60_000 }),
  },
  {
    what: 'A parked call is recovered at once.',
    cause: ({ deployment, queue }) => recovering({ deployment, queue, downMinutes: 0, minutes: 10 }),
  },
  {
    what: 'The bus refuses an event once.',
    cause: ({ deployment, subscriptions }) => publishing({ deployment, subscriptions, downMinutes: 1, minutes: 10 }),
  },
  {
    what: 'Agents are polled with a token, and a tick comes late.',
    cause: ({ deployment }) =>
      polling({
        deployment,
        minutes: 19,
        account: tokenAccount as never,
        ticks: (minute) => (minute === 3 ? [1, 200] : [1]),
      }),
  },
];

/** What happens beside, and raises an alarm of its own or none: the other metrics are emitted here. */
export const otherScenarios: readonly Scenario[] = [
  {
    what: 'Two runs serve a tick side by side, and one of them is overtaken.',
    cause: ({ deployment }) => polling({ deployment, minutes: 1, processes: 2 }),
  },
  {
    what: 'The limit is reached, and the next polls are passed over.',
    cause: ({ deployment }) =>
      polling({
        deployment,
        minutes: 3,
        replyAt: (minute) => (minute === 0 ? errorText('Max limit exceeded') : success(specificationLogins)),
      }),
  },
];
