import { type CurrentAgent, isLoggedOut, secondsBetween } from './agent.ts';
import type { AgentChange, AgentsById } from './diff-agents.ts';
import { attemptedAt } from './rate-limit.ts';
import type { Feed } from './schema.ts';

// Agents who end calls while no callback comes are the proof that callbacks are lost. The feed therefore holds the first
// few calls that ended since the latest callback. They change only with writes that happen anyway.

/** So many calls without a callback are no coincidence. Single ones happen: some calls of an account are never posted. */
const maxEndedCalls = 5;

/** So many of them may be of one agent: somebody who tries the telephone alone proves nothing. */
const maxOfOneAgent = 2;

/** Calls that lie further apart do not belong together: that is a quiet hour. In milliseconds. */
const togetherMs = 60 * 60_000;

/** After a longer time without an answer nobody knows when a call ended that is over by then. */
const maxUnseenSeconds = 45;

/**
 * The agents who ended a call, by an answer at an instant, among those who changed. One who logs out does not count: the
 * service may have left an agent out of its list by mistake.
 */
export const agentsAfterCall = (
  { feed, agents }: { readonly feed: Feed; readonly agents: AgentsById },
  changes: readonly AgentChange[],
  at: string,
): readonly string[] => {
  const isSeen = feed.asOf !== undefined && secondsBetween(feed.asOf, at) <= maxUnseenSeconds;
  if (!isSeen) return [];
  return changes.filter(({ agentId, after }) => isCallEnd(agents.get(agentId), after)).map(({ agentId }) => agentId);
};

const isCallEnd = (before: CurrentAgent | undefined, after: CurrentAgent | undefined): boolean =>
  before?.state === 'in-call' && after !== undefined && after.state !== 'in-call' && !isLoggedOut(after);

/** The feed with the calls that some agents ended at an instant. Once there are enough, they stay until a callback comes. */
export const withEndedCalls = (feed: Feed, agentIds: readonly string[], at: string): Feed => {
  const atMs = Date.parse(at);
  const before = feed.poller.endedCalls ?? [];
  if (agentIds.length === 0 || before.length >= maxEndedCalls) return feed;

  const ended = before.filter((call) => atMs - call.at <= togetherMs);
  for (const by of agentIds.map(agentHash)) {
    const ofAgent = ended.filter((call) => call.by === by).length;
    if (ended.length < maxEndedCalls && ofAgent < maxOfOneAgent) ended.push({ at: atMs, by });
  }
  return withCalls(feed, ended);
};

/** Short numbers are enough for the few agents of the list. Two with the same one only make the list fill more slowly. */
const agentHash = (agentId: string): number =>
  [...agentId].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);

/**
 * How long a callback may take after its call. The service posts many calls only when the agent has chosen a disposition,
 * about five minutes later.
 */
export const silenceGraceSeconds = 6 * 60;

/** The feed without the calls that ended up to an instant (milliseconds): a callback came since. */
export const withoutCallsUntil = (feed: Feed, untilMs: number): Feed => {
  const { endedCalls } = feed.poller;
  return endedCalls === undefined
    ? feed
    : withCalls(
        feed,
        endedCalls.filter(({ at }) => at > untilMs),
      );
};

const withCalls = (feed: Feed, endedCalls: NonNullable<Feed['poller']['endedCalls']>): Feed => {
  const { endedCalls: _before, ...poller } = feed.poller;
  return { ...feed, poller: { ...poller, ...(endedCalls.length > 0 && { endedCalls }) } };
};

/**
 * When the third of enough calls ended after which no callback came (ISO instant); undefined while there are fewer. So the
 * grace for callbacks on their way holds for three calls, and the others only have to have ended.
 */
export const silentSince = ({ poller: { endedCalls = [] } }: Feed): string | undefined => {
  const third = endedCalls.length < maxEndedCalls ? undefined : endedCalls[2];
  return third && new Date(third.at).toISOString();
};

/** The same once it is proven, by the time of the last attempt to poll: what the feed's row shows to readers. */
export const provenSilentSince = (feed: Feed): string | undefined => {
  const [since, attempt] = [silentSince(feed), attemptedAt(feed)];
  const isProven =
    since !== undefined && attempt !== undefined && secondsBetween(since, attempt) >= silenceGraceSeconds;
  return isProven ? since : undefined;
};
