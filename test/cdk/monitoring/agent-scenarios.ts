import type { Context, SQSEvent } from 'aws-lambda';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { call } from '../../deployment/index.ts';
import { type ServiceAnswer, success, tokenAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount, specificationLogins } from '../../fixtures/accounts.ts';
import {
  crash,
  crashing,
  type DeployedResources,
  type During,
  type Run,
  recordedDeployment,
  scenariosOf,
} from './scenario.ts';

const slotMs = 15_000;

/** What happens in each minute since the start: the service's answer, and the ticks that arrive. */
interface Polling {
  readonly minutes: number;
  /** The service’s answer in this minute since the start. */
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

/** Scenarios in which agents are polled. */
export const polled = scenariosOf(polling, 'poller');

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

/** So many agents end a call each minute. */
export const onThePhone =
  (agents: number = specificationLogins.length) =>
  (minute: number): ServiceAnswer =>
    success(
      specificationLogins
        .slice(0, agents)
        .map((agent) => ({ ...agent, AgentState: minute % 1 < 0.5 ? 'INCALL' : 'READY' })),
    );

/** The poller crashes. */
export const pollerCrash = crashing(
  async ({ telemetryOf }) => {
    const parts = { telemetry: telemetryOf('poll-agents'), clock: () => new Date() };
    const tick = { attributes: { SentTimestamp: String(Date.now()) } };
    return createPollHandler({ ...parts, poll: crash })({ Records: [tick] } as SQSEvent, {} as Context);
  },
  ({ crashed }) => crashed('PollAgents'),
);
