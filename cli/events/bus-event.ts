import * as z from 'zod';
import { Envelope, eventSource } from '../../lib/contract/envelope.ts';
import { eventSchemas, isEventType } from '../../lib/contract/event-schemas.ts';
import { parsed } from '../../lib/json/parsed.ts';
import { masked } from '../output/masked.ts';

/** An event as a subscriber gets it, whatever version of Callfeed it is of. */
export const BusEvent = z.looseObject({
  'detail-type': z.string(),
  detail: z.looseObject({ account: z.string().optional() }),
});
export type BusEvent = z.infer<typeof BusEvent>;

/** The event in a line of JSON; undefined if it is none. */
export const busEventOf = (line: string): BusEvent | undefined => BusEvent.safeParse(parsed(line)).data;

const text = z.string();
const OfBus = {
  version: text,
  id: text,
  'detail-type': text,
  source: text,
  account: text,
  time: text,
  region: text,
  resources: z.array(text),
  'replay-name': text,
};

/** The event without what is personal; of a later version's, only what every event has is shown. */
export const maskedEvent = (event: BusEvent): BusEvent => {
  const type = event['detail-type'];
  const detail = isEventType(type) ? eventSchemas[type] : z.object(Envelope);
  return masked(z.object({ ...OfBus, detail }), event);
};

/** Which events are wanted; all of them, if nothing is said. */
export interface WantedEvents {
  readonly type: readonly string[];
  readonly account?: string | undefined;
}

/** Whether an event is wanted. */
export const isWanted = (event: BusEvent, { type, account }: WantedEvents): boolean =>
  (type.length === 0 || type.includes(event['detail-type'])) &&
  (account === undefined || event.detail.account === account);

/** The same for EventBridge, as the pattern of a rule. */
export const patternFor = ({ type, account }: WantedEvents): string =>
  JSON.stringify({
    source: [eventSource],
    ...(type.length > 0 && { 'detail-type': type }),
    ...(account !== undefined && { detail: { account: [account] } }),
  });
