import type { Context, SQSEvent } from 'aws-lambda';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { call } from '../../deployment/index.ts';
import { errorAnswer, noAnswer, type ServiceAnswer, success, tokenAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount, otherAccount, polledAccount, specificationLogins } from '../../fixtures/accounts.ts';
import {
  crash,
  crashing,
  type DeployedResources,
  type During,
  type Fault,
  type Run,
  recordedDeployment,
  type Scenario,
} from './scenario.ts';

const slotMs = 15_000;

/** What happens in each minute since the start: the service's answer, and the ticks that arrive. */
interface Polling {
  readonly minutes: number;
  /** The service's answer so many minutes after the start. */
  readonly replyAt?: (minute: number) => ServiceAnswer;
  /** The ages in seconds of the ticks that arrive in each slot of this minute. */
  readonly ticks?: (minute: number) => readonly number[];
  /** The accounts, or the text of their secret. */
  readonly accounts?: string | readonly unknown[];
  /** What happens meanwhile. */
  readonly during?: During;
  /** Whether nothing publishes what is written. */
  readonly isPublisherOff?: true;
  /** The account whose callbacks come, one each minute. */
  readonly posting?: { readonly userName: string; readonly apiKeys: readonly string[] };
}

/** Polls slot by slot, with a scripted service. */
const polling = async (deployed: DeployedResources, setting: Polling): Promise<Run> => {
  const { minutes, accounts = [kolkataAccount], posting, isPublisherOff } = setting;
  const { replyAt = () => usualList, ticks = () => [1], during = (_d, act) => act() } = setting;
  const { d, run } = await recordedDeployment(deployed, {
    ...(typeof accounts !== 'string' && { accounts }),
    service: { logins: [() => replyAt(minutesSince())], token: [tokenAnswer('a-token')] },
  });
  const startMs = Date.parse(d.startedAt);
  const nowMs = () => Date.parse(d.now());
  const minutesSince = () => (nowMs() - startMs) / 60_000;
  if (typeof accounts === 'string') d.putAccounts(accounts);

  await during(d, async () => {
    for (let slot = 0; slot < minutes * 4; slot++) {
      d.advance(startMs + slot * slotMs - nowMs());
      const { userName: UserName, apiKeys: [Apikey] = [] } = posting ?? {};
      if (slot % 4 === 0 && Apikey) await d.post(call({ monitorUCID: `${slot + 1}`, UserName, Apikey }));
      if (!isPublisherOff) await d.publish();
      const sentAt = ticks(Math.floor(slot / 4)).map((age) => new Date(nowMs() - age * 1_000).toISOString());
      if (sentAt.length > 0) await d.tick(...sentAt);
    }
    d.advance(startMs + minutes * 60_000 - nowMs());
  });
  return run();
};

/** A scenario in which agents are polled. */
export const polled = (what: string, setting: Polling): Scenario => ({
  what,
  cause: (deployed) => polling(deployed, setting),
  scheduled: 'poller',
});

const usualList = success(specificationLogins);

/** The service gives this answer from one minute until another, and else its usual list. */
export const between =
  (from: number, to: number, reply: ServiceAnswer) =>
  (minute: number): ServiceAnswer =>
    from <= minute && minute < to ? reply : usualList;

/** Every agent changes state each minute. */
export const busy = (minute: number): ServiceAnswer =>
  success(
    specificationLogins.map((agent) => ({ ...agent, AgentState: Math.floor(minute) % 2 === 0 ? 'READY' : 'PAUSE' })),
  );

/** Every agent ends a call each minute. */
export const onThePhone =
  (agents: readonly object[]) =>
  (minute: number): ServiceAnswer =>
    success(agents.map((agent) => ({ ...agent, AgentState: minute % 1 < 0.5 ? 'INCALL' : 'READY' })));

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
