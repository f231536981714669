import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { accountsPlaceholder } from '../../../lib/account/placeholder.ts';
import { down } from '../../lib/support/ports.ts';
import { errorText, noReply } from '../../lib/support/scripted-service.ts';
import type { Fault } from './fault.ts';
import { between, nameless, polled } from './polls.ts';

/** What can go wrong between the service's list and the rows of agents, by the alarm that is there for it. */
export const agentFaults: readonly Fault[] = [
  {
    alarm: 'AgentsStale',
    ...polled('The service does not answer for four minutes.', {
      minutes: 8,
      says: between(2, 6, noReply('connection')),
    }),
    near: [polled('It does not answer for a minute.', { minutes: 8, says: between(2, 3, noReply('connection')) })],
  },
  {
    alarm: 'EveryPollFails',
    ...polled('The table of agents is down.', {
      minutes: 6,
      around: (table) => ({ ...table, rows: down, write: down }),
    }),
    near: [
      polled('The service answers again after four minutes.', {
        minutes: 5,
        says: between(0, 4, noReply('connection')),
      }),
      polled('A new deployment has no accounts yet.', {
        minutes: 20,
        accounts: (telemetry, clock) => cachedAccounts(async () => accountsPlaceholder, { telemetry, clock }),
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
      polled('It sends none for five minutes.', {
        minutes: 15,
        ticks: (minute) => (minute >= 5 && minute < 10 ? [] : [1]),
      }),
    ],
  },
  {
    alarm: 'LimitRefused',
    ...polled('Somebody else asks with the same account.', {
      minutes: 4,
      says: between(1, 2, errorText('Max limit exceeded')),
    }),
    near: [
      polled('The service refuses the key.', {
        minutes: 4,
        says: between(1, 2, errorText('userName or apiKey is Invalid')),
      }),
    ],
  },
  {
    alarm: 'AgentsUnreadable',
    ...polled('The service lists an agent without an id for 20 minutes.', {
      minutes: 25,
      says: between(1, 21, nameless),
    }),
    near: [polled('It does for nine.', { minutes: 25, says: between(1, 10, nameless) })],
  },
];
