import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../../lib/record/delivery.ts';
import { must } from '../breach.ts';
import type { CallRow } from './row-of-call.ts';

const shown = (value: unknown): string => JSON.stringify(value);

const dayS = 86_400;

/** By the README, unless a deployment says otherwise. */
const keptDays = 730;

/** In which lists a row is found, and when it may be deleted, in the words of the README. Nothing here has to be encoded. */
const listed = ({ kind, account, facts, row }: CallRow): Facts => {
  const { startedAt, endedAt, customerNumber } = facts;
  const { firstReceivedAt } = row;
  const [agentId] = agentsIn(facts);
  const isCall = kind === 'call';
  return {
    expiresAt: Math.floor(Date.parse(String(firstReceivedAt)) / 1_000) + keptDays * dayS,
    listedAt: isCall ? (startedAt ?? endedAt ?? firstReceivedAt) : undefined,
    accountCalls: isCall ? account : undefined,
    customerCalls: isCall && customerNumber !== undefined ? `${account}#${customerNumber}` : undefined,
    agentCalls: isCall && agentId !== undefined ? `${account}#${agentId}` : undefined,
  };
};

/** A call is found by time, by its customer and by its first agent, a participant through its call; and both are kept. */
export const mustBeListed = (call: CallRow): void => {
  const { expiresAt, listedAt, accountCalls, customerCalls, agentCalls } = call.row;
  const found = { expiresAt, listedAt, accountCalls, customerCalls, agentCalls };
  const expected = listed(call);
  must(
    isDeepStrictEqual(found, expected),
    () => `${call.name} is listed as ${shown(found)}, and should be as ${shown(expected)}`,
  );
};

/** A call of several agents is found under each of them, and under nobody else. */
export const mustBeListedUnderAgents = (rows: readonly CallRow[], entries: readonly Facts[]): void => {
  const found = entries.map(({ account, callId, leg, agentCalls }) => shown([account, callId, leg, agentCalls])).sort();
  const expected = rows
    .filter(({ kind }) => kind === 'call')
    .flatMap(({ account, callId, part, facts }) =>
      agentsIn(facts)
        .slice(1)
        .map((agentId) => shown([account, callId, part, `${account}#${agentId}`])),
    )
    .sort();
  must(
    isDeepStrictEqual(found, expected),
    () => `Calls are listed under further agents as ${found}, and should be as ${expected}`,
  );
};

const agentsIn = ({ agentIds }: Facts): readonly string[] => (Array.isArray(agentIds) ? [...new Set(agentIds)] : []);
