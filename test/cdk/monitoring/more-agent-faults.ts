import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { errorText, noReply } from '../../lib/support/scripted-service.ts';
import type { Happening } from './fault.ts';
import { busy, polled } from './polls.ts';

/** The same faults in other shapes, which must not go unheard either. */
export const moreAgentFaults: readonly (Happening & { readonly alarm: string })[] = [
  {
    alarm: 'EveryPollFails',
    ...polled('A new deployment’s account has a wrong key.', {
      minutes: 20,
      says: () => errorText('userName or apiKey is Invalid'),
    }),
  },
  {
    alarm: 'EveryPollFails',
    ...polled('A new deployment’s account has a wrong address.', { minutes: 20, says: () => noReply('connection') }),
  },
  {
    alarm: 'AgentsStale',
    ...polled('A new deployment’s account has a wrong key.', {
      minutes: 20,
      says: () => errorText('userName or apiKey is Invalid'),
    }),
  },
  {
    alarm: 'AccountsUnreadable',
    ...polled('The poller alone finds a malformed secret.', {
      minutes: 2,
      accounts: (telemetry, clock) => cachedAccounts(async () => '[{}]', { telemetry, clock }),
    }),
  },
  {
    alarm: 'PublisherSilent',
    ...polled('The publisher is not run, while agents change with every poll.', { minutes: 30, says: busy }),
  },
  {
    alarm: 'PollerSilent',
    ...polled('Only ticks come that are stale.', { minutes: 15, ticks: () => [1_000] }),
  },
];
