import * as z from 'zod';
import { hidden } from '../output/masked.ts';
import { printable } from '../output/printable.ts';
import { type BusEvent, maskedEvent } from './bus-event.ts';

const shown = z.string().refine((text) => text !== hidden);
const word = shown.optional().catch(undefined);
const state = z.object({ state: word }).optional().catch(undefined);

/** What a line says of an event, of which what is hidden is left out. */
const Told = z.object({
  account: word,
  occurredAt: word,
  callId: word,
  leg: word,
  participantId: word,
  revision: z.number().optional().catch(undefined),
  changedFields: z.array(shown).optional().catch(undefined),
  call: z.object({ status: word }).optional().catch(undefined),
  agentId: word,
  previous: state,
  current: state,
  reason: word,
  replayedAt: word,
});

const typeWidth = 'Call Participant Recorded'.length;

/** An event in a line, for people, with nothing in it that is personal or not declared. */
export const eventLine = (event: BusEvent): string => {
  const told = Told.parse(maskedEvent(event).detail);
  const {
    account = '-',
    occurredAt = '-',
    callId,
    leg,
    participantId,
    revision,
    call,
    agentId,
    previous,
    current,
  } = told;
  const about = [
    ...(callId === undefined ? [] : [`call ${callId}`]),
    ...(leg === undefined || leg === 'main' ? [] : [`leg ${leg}`]),
    ...(participantId === undefined ? [] : [`participant ${participantId}`]),
    ...(revision === undefined || revision === 1 ? [] : [`revision ${revision}`]),
    ...(told.changedFields === undefined ? [] : [`changed ${told.changedFields.join(', ')}`]),
    ...(call?.status === undefined ? [] : [call.status]),
    ...(agentId === undefined ? [] : [`agent ${agentId}`]),
    ...(current?.state === undefined ? [] : [`${previous?.state ?? '-'} → ${current.state}`]),
    ...(told.reason === undefined ? [] : [told.reason]),
    ...(told.replayedAt === undefined ? [] : [`replayed ${told.replayedAt}`]),
  ];
  return printable(
    `${occurredAt}  ${account}  ${event['detail-type'].padEnd(typeWidth)}  ${about.join('  ')}`.trimEnd(),
  );
};
