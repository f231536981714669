import type { Context, SQSEvent } from 'aws-lambda';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { errorAnswer, noAnswer, success } from '../../deployment/telephony.ts';
import { kolkataAccount, otherAccount, polledAccount, specificationLogins } from '../../fixtures/accounts.ts';
import { between, busy, nameless, onThePhone, polled } from './agent-scenarios.ts';
import { crash, crashing, type Fault } from './scenario.ts';

/** Faults between the telephony service's list and the rows of agents, with their alarms. */
export const agentFaults: readonly Fault[] = [
  {
    alarm: 'PollerCrashes',
    ...crashing(
      'The poller crashes.',
      async ({ telemetryOf }) => {
        const parts = { telemetry: telemetryOf('poll-agents'), clock: () => new Date() };
        const tick = { attributes: { SentTimestamp: String(Date.now()) } };
        return createPollHandler({ ...parts, poll: crash })({ Records: [tick] } as SQSEvent, {} as Context);
      },
      ({ crashed }) => crashed('PollAgents'),
    ),
  },
  {
    alarm: 'AgentsStale',
    ...polled('The service does not answer for four minutes.', {
      minutes: 8,
      replyAt: between(2, 6, noAnswer('connection')),
    }),
    near: [
      polled('The service does not answer for a minute.', {
        minutes: 8,
        replyAt: between(2, 3, noAnswer('connection')),
      }),
    ],
  },
  {
    alarm: 'EveryPollFails',
    ...polled('The table of agents is down.', {
      minutes: 6,
      during: (d, poll) => d.fail('agents').during(poll),
    }),
    near: [
      polled('The service answers again after four minutes.', {
        minutes: 5,
        replyAt: between(0, 4, noAnswer('connection')),
      }),
      polled('A new deployment has no accounts yet.', {
        minutes: 20,
        accounts: accountsPlaceholder,
      }),
    ],
  },
  {
    alarm: 'PollerSilent',
    ...polled('The schedule is disabled, and sends no ticks.', {
      minutes: 15,
      ticks: (minute) => (minute < 5 ? [1] : []),
    }),
    near: [
      polled('The schedule sends no ticks for five minutes.', {
        minutes: 15,
        ticks: (minute) => (minute >= 5 && minute < 10 ? [] : [1]),
      }),
    ],
  },
  {
    alarm: 'RateLimitExceeded',
    ...polled('Something else polls with the same account.', {
      minutes: 8,
      replyAt: between(1, 3, errorAnswer('Max limit exceeded')),
    }),
    near: [
      polled('Somebody’s queries cost two polls.', {
        minutes: 4,
        replyAt: between(1, 1.5, errorAnswer('Max limit exceeded')),
      }),
      polled('The service rejects the key.', {
        minutes: 4,
        replyAt: between(1, 2, errorAnswer('userName or apiKey is Invalid')),
      }),
    ],
  },
  {
    alarm: 'CallbacksSilent',
    ...polled('The callback address is broken: agents end calls, and no callback comes.', {
      minutes: 15,
      replyAt: onThePhone(specificationLogins),
    }),
    near: [
      polled('Callbacks come, one in each minute.', {
        minutes: 15,
        replyAt: onThePhone(specificationLogins),
        posting: kolkataAccount,
      }),
      polled('Two agents alone end calls that are never posted.', {
        minutes: 15,
        replyAt: onThePhone(specificationLogins.slice(0, 2)),
      }),
      polled('The calls ended less than six minutes ago.', { minutes: 6, replyAt: onThePhone(specificationLogins) }),
      polled('The account posts no callbacks.', {
        minutes: 15,
        replyAt: onThePhone(specificationLogins),
        accounts: [{ ...kolkataAccount, callbacks: 'off' }],
      }),
    ],
  },
  {
    alarm: 'CallbacksSilent',
    ...polled('One account’s address is broken, and another account works.', {
      minutes: 15,
      replyAt: onThePhone(specificationLogins),
      accounts: [kolkataAccount, { ...polledAccount, ...otherAccount }],
      posting: otherAccount,
    }),
  },
  {
    alarm: 'AgentsUnreadable',
    ...polled('The service lists an agent without an id for 20 minutes.', {
      minutes: 25,
      replyAt: between(1, 21, nameless),
    }),
    near: [polled('The service does so for nine minutes.', { minutes: 25, replyAt: between(1, 10, nameless) })],
  },
  {
    alarm: 'UnknownAgentStates',
    ...polled('The service lists an agent in a state that nobody knows.', {
      minutes: 3,
      replyAt: between(1, 2, success([{ AgentId: 'asha', AgentState: 'TRAINING' }])),
    }),
    near: [
      polled('The service lists an agent in a state in another spelling.', {
        minutes: 3,
        replyAt: between(1, 2, success([{ AgentId: 'asha', AgentState: 'in_call' }])),
      }),
    ],
  },
  {
    alarm: 'EveryPollFails',
    ...polled('A new deployment’s account has a wrong key.', {
      minutes: 20,
      replyAt: () => errorAnswer('userName or apiKey is Invalid'),
    }),
  },
  {
    alarm: 'EveryPollFails',
    ...polled('A new deployment’s account has a wrong address.', {
      minutes: 20,
      replyAt: () => noAnswer('connection'),
    }),
  },
  {
    alarm: 'AgentsStale',
    ...polled('A new deployment’s account has a wrong key.', {
      minutes: 20,
      replyAt: () => errorAnswer('userName or apiKey is Invalid'),
    }),
  },
  {
    alarm: 'AccountsUnreadable',
    ...polled('The poller alone finds a malformed secret.', {
      minutes: 2,
      accounts: '[{}]',
    }),
  },
  {
    alarm: 'PublisherSilent',
    ...polled('The publisher does not run while agents change with every poll.', { minutes: 30, replyAt: busy }),
  },
  {
    alarm: 'PollerSilent',
    ...polled('All ticks that arrive are stale.', { minutes: 15, ticks: () => [1_000] }),
  },
];
