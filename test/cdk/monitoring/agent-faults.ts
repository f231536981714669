import type { Context, SQSEvent } from 'aws-lambda';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { errorAnswer, noAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount, otherAccount, polledAccount, specificationLogins } from '../../fixtures/accounts.ts';
import { between, busy, onThePhone, polled } from './agent-scenarios.ts';
import { crash, crashing, type Fault } from './scenario.ts';

/** Faults between the telephony service's list and the rows of agents, and between agents' calls and their callbacks. */
export const agentFaults: readonly Fault[] = [
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
      polled('Somebody’s queries cost two polls.', {
        minutes: 4,
        replyAt: between(1, 1.5, errorAnswer('Max limit exceeded')),
      }),
    ],
  },
  {
    alarm: 'AgentsStale',
    ...crashing(
      'The poller crashes.',
      async ({ telemetryOf }) => {
        const parts = { telemetry: telemetryOf('poll-agents'), clock: () => new Date() };
        const tick = { attributes: { SentTimestamp: String(Date.now()) } };
        return createPollHandler({ ...parts, poll: crash })({ Records: [tick] } as SQSEvent, {} as Context);
      },
      ({ crashed }) => crashed('PollAgents'),
    ),
    scheduled: 'poller',
  },
  {
    alarm: 'AgentsStale',
    ...polled('The table of agents is down.', { minutes: 6, during: (d, poll) => d.fail('agents').during(poll) }),
  },
  {
    alarm: 'AgentsStale',
    ...polled('The schedule is disabled, and sends no ticks.', {
      minutes: 15,
      ticks: (minute) => (minute < 5 ? [1] : []),
    }),
    near: [
      polled('The schedule sends no ticks for two minutes.', {
        minutes: 15,
        ticks: (minute) => (minute >= 5 && minute < 7 ? [] : [1]),
      }),
    ],
  },
  { alarm: 'AgentsStale', ...polled('All ticks that arrive are stale.', { minutes: 15, ticks: () => [1_000] }) },
  {
    alarm: 'AgentsStale',
    ...polled('Something else polls with the same account.', {
      minutes: 8,
      replyAt: between(1, 6, errorAnswer('Max limit exceeded')),
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
    alarm: 'AgentsStale',
    ...polled('A new deployment’s account has a wrong address.', {
      minutes: 20,
      replyAt: () => noAnswer('connection'),
    }),
  },
  {
    alarm: 'AgentsStale',
    ...polled('A new deployment has no accounts yet.', { minutes: 20, accounts: accountsPlaceholder }),
  },
  {
    alarm: 'AgentsStale',
    ...polled('The poller alone finds a malformed secret.', { minutes: 5, accounts: '[{}]' }),
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
    alarm: 'EventsMissing',
    ...polled('The publisher does not run while agents change with every poll.', {
      minutes: 35,
      replyAt: busy,
      isPublisherOff: true,
    }),
  },
];
