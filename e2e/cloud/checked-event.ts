import * as z from 'zod';
import { eventSchemasFor } from '../../lib/contract/event-schemas.ts';
import { mismatch } from '../runner/facts.ts';
import type { Event } from './subscriber.ts';

const contract: Readonly<Record<string, z.ZodType>> = eventSchemasFor('keep');

/** Throws unless an event is one that the contract knows, and has all it says and nothing else. */
export const checkEvent = (event: Event): void => {
  const checked = contract[event['detail-type']]?.safeParse(event.detail);
  if (checked?.success) return;

  const why = checked === undefined ? 'no such detail type' : z.prettifyError(checked.error);
  throw mismatch(`An event as the contract has it; ${why}`, event, 'an event of the contract');
};
