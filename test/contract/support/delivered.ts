import { eventSource } from '../../../lib/contract/envelope.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';
import { accept } from '../../../sandbox/bus/put-events.ts';

/** An event as a subscriber gets it from the sandbox's bus. */
export const delivered = ({ type, detail }: BusEvent): Record<string, unknown> => ({
  ...accept(
    { Source: eventSource, DetailType: type, Detail: JSON.stringify(detail), Resources: [] },
    'default',
    new Date(),
  ),
});
