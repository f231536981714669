import type { Facts } from '../core/collections.ts';
import { compare } from '../core/text.ts';
import { byReceipt, callMergeRules, type Delivery, mergeDeliveries, unionOf } from './merge-deliveries.ts';

/** Lists of a call's agents: those of every leg are agents of the call. */
const agentLists = ['agentIds', 'agentNames', 'agentUniqueIds'] as const;

/**
 * The facts of a call, merged over its legs. Practice: the ids of a call are the same in all its summaries, but UCID names
 * one leg of it; an inbound call that rang at two agents has an unanswered leg and an answered one.
 *
 * Where several UCIDs were named, `legs` has the facts of each, and the agents of all legs add up. In every other respect
 * all deliveries are merged as if they were about one leg: answered on any leg is answered. A delivery without a UCID is
 * about the call as a whole.
 */
export const mergeLegs = (deliveries: readonly Delivery[]): Facts => {
  const merged = mergeDeliveries(deliveries, callMergeRules);
  const byLeg = Map.groupBy(deliveries.toSorted(byReceipt), ({ facts }) => facts['ucid']);
  const parts = [...byLeg.values()].map((some) => mergeDeliveries(some, callMergeRules));
  const legs = parts.filter(({ ucid }) => ucid !== undefined).sort(inOrder);
  if (legs.length < 2) return merged;

  const agents = agentLists.flatMap((list) => unionOf(list, parts.toSorted(inOrder)));
  return { ...merged, ...Object.fromEntries(agents), legs };
};

/** The whole call first, then its legs by their start; a leg without a start comes last. */
const inOrder = (a: Facts, b: Facts): number =>
  Number(a['ucid'] !== undefined) - Number(b['ucid'] !== undefined) || compare(position(a), position(b));

const position = ({ startedAt, ucid }: Facts): string => `${startedAt ?? '~'} ${ucid}`;
