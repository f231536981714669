import * as z from 'zod';
import type { Envelope } from '../bus/envelope.ts';
import { times } from './times.ts';

/** Our words for states hold nothing personal; any other text is not told. */
const State = z.object({
  state: z
    .string()
    .regex(/^[a-z-]{1,20}$/)
    .catch('other'),
});
const Detail = z.object({ previous: State.optional(), current: State.optional() }).catch({});

const counted = {
  'Agent Logged In': 'logged in',
  'Agent Logged Out': 'logged out',
  'Agent Details Changed': 'with other details',
} as const;

/** Whether an event tells what an agent did; those of the feed as a whole are told by themselves. */
export const isAboutAgent = ({ 'detail-type': type }: Envelope): boolean =>
  type === 'Agent State Changed' || Object.hasOwn(counted, type);

/**
 * What agents did, in short and without anything personal.
 *
 * @example agentsLine(events) // '2 logged in, ready→in-call x3, in-call→acw'
 */
export const agentsLine = (events: readonly Envelope[]): string => {
  const comings = Object.entries(counted).flatMap(([type, text]) => {
    const count = events.filter((event) => event['detail-type'] === type).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const changes = events
    .filter((event) => event['detail-type'] === 'Agent State Changed')
    .map(({ detail }) => Detail.parse(detail))
    .map(({ previous, current }) => `${previous?.state ?? 'other'}→${current?.state ?? 'other'}`);

  const moves = [...Map.groupBy(changes, (change) => change)].sort(
    ([, some], [, others]) => others.length - some.length,
  );
  return [...comings, ...moves.map(([change, same]) => `${change}${times(same.length)}`)].join(', ');
};
