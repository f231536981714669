import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../../lib/record/delivery.ts';
import { statesAt } from '../../../test/lib/support/agent-history.ts';
import type { Asked } from './telephony.ts';

interface Listed {
  readonly agentId: string;
  readonly state: string;
  readonly stateAsSent: string;
}

const listedIn = (parts: readonly Facts[]): readonly Listed[] =>
  parts.flatMap(({ agents }) => (Array.isArray(agents) ? agents : []));

const byAgent = (listed: readonly Listed[], field: 'state' | 'stateAsSent') =>
  Object.fromEntries(listed.map((agent): [string, string] => [agent.agentId, agent[field]]).sort());

/**
 * The rows without the floors that runs left which were overtaken and then ended before they could take them back, as
 * the README's limits have it: an answer said so, and the timelines say otherwise. One for each run that was ended.
 */
export const withoutStrays = (rows: readonly Facts[], asked: readonly Asked[], endedRuns: number): readonly Facts[] => {
  const answers = asked.flatMap(({ states }) => (states === undefined ? [] : [Object.fromEntries([...states].sort())]));
  const live = rows.filter((row) => row['kind'] === 'floor' && row['status'] === 'live');
  const strays = [...Map.groupBy(live, (row) => String(row['at']))].filter(([at, parts]) => {
    const listed = listedIn(parts);
    const isCounted = isDeepStrictEqual(byAgent(listed, 'state'), { ...statesAt(rows, at) });
    return !isCounted && answers.some((answer) => isDeepStrictEqual(answer, byAgent(listed, 'stateAsSent')));
  });
  if (strays.length > endedRuns) return rows;
  const gone = new Set(strays.flatMap(([, parts]) => parts));
  return rows.filter((row) => !gone.has(row));
};
