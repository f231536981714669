import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { specificationLogins } from '../../fixtures/agents.ts';
import { down } from '../../lib/support/ports.ts';
import { errorText, noReply, type Reply, success } from '../../lib/support/scripted-service.ts';
import type { Fault, Happening } from './fault.ts';
import { type Polling, polling } from './runs/polling.ts';

const polled = (what: string, setting: Omit<Polling, 'deployment'>): Happening => ({
  what,
  cause: ({ deployment }) => polling({ deployment, ...setting }),
});

const floor = success(specificationLogins);
const nameless = success([...specificationLogins, { AgentName: 'Nobody' }]);

/** The service says this from one minute until another, and its list else. */
const between =
  (from: number, to: number, said: Reply) =>
  (minute: number): Reply =>
    from <= minute && minute < to ? said : floor;

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
    ],
  },
  {
    alarm: 'PollerSilent',
    ...polled('The schedule is disabled, and sends no ticks.', {
      minutes: 12,
      ticks: (minute) => (minute < 2 ? [1] : []),
    }),
    near: [polled('A minute’s ticks are missing.', { minutes: 12, ticks: (minute) => (minute === 2 ? [] : [1]) })],
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
    alarm: 'EveryPollFails',
    ...polled('The poller finds a malformed secret.', {
      minutes: 6,
      accounts: (telemetry, clock) => cachedAccounts(async () => '[{}]', { telemetry, clock }),
    }),
  },
  {
    alarm: 'PollerSilent',
    ...polled('Only ticks come that are stale.', { minutes: 12, ticks: () => [1_000] }),
  },
];
