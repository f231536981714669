import * as z from 'zod/mini';
import { CallLeg } from '../lib/calls/schema.ts';
import { agentPartFields } from '../lib/contract/call-counts.ts';
import { Call, ListedCall } from '../lib/contract/rows.ts';

const DayLeg = z.pick(CallLeg, { ...agentPartFields, notes: true });

const DayFields = z.pick(Call, {
  ...agentPartFields,
  callId: true,
  type: true,
  hangupBy: true,
  startedAt: true,
  endedAt: true,
  skillName: true,
  campaignName: true,
  linkedCallId: true,
  notes: true,
});

/** A call of a day: the fields of its row that figures need. No field is personal. */
export const DayCall = z.extend(DayFields, {
  listedAt: ListedCall.shape.listedAt,
  legs: z.optional(z.readonly(z.array(DayLeg))),
});
export type DayCall = Readonly<z.infer<typeof DayCall>>;
