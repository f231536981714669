import * as z from 'zod/mini';
import { field, nonEmpty } from '../storage/field.ts';
import { callFacts, participantFacts } from '../telephony/call-fields.ts';
import { shapeOf } from './schema-of-fields.ts';

export const CallFacts = z.strictObject(shapeOf(callFacts)).register(z.globalRegistry, { title: 'Call facts' });
export type CallFacts = z.infer<typeof CallFacts>;

/** One leg of a call that has several: what the summaries with its UCID say. */
export const CallLeg = z
  .extend(CallFacts, { ucid: field(nonEmpty, 'The id of the leg.', { origin: 'UCID' }) })
  .register(z.globalRegistry, { title: 'Call leg' });
export type CallLeg = z.infer<typeof CallLeg>;

/** The facts of a participant in a call (AdvancedCallBacks). The meaning of most fields is not documented. */
export const ParticipantFacts = z
  .strictObject(shapeOf(participantFacts))
  .register(z.globalRegistry, { title: 'Participant facts' });
export type ParticipantFacts = z.infer<typeof ParticipantFacts>;
