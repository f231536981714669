import * as z from 'zod';
import { eventSchemas, isEventType } from '../../lib/contract/events.ts';
import { isMissed, missedCalls, outcomeText } from '../../lib/contract/rules.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { Envelope, eventSource } from '../../lib/storage/event.ts';
import { wordText } from '../../lib/telephony/vocabularies.ts';
import { hidden, redacted } from '../frame/redact.ts';
import { printable } from '../frame/terminal.ts';

export const ReceivedEvent = z.looseObject({
  'detail-type': z.string(),
  detail: z.looseObject({ account: z.string().optional() }),
});
export type ReceivedEvent = z.infer<typeof ReceivedEvent>;

export const parseBusEvent = (line: string): ReceivedEvent | undefined =>
  ReceivedEvent.safeParse(tryParseJson(line)).data;

const text = z.string();
const envelopeFields = {
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

/** Hides the personal fields. Of an event that this version does not declare, hides all but the common fields. */
export const redactedEvent = (event: ReceivedEvent): ReceivedEvent => {
  const type = event['detail-type'];
  const detail = isEventType(type) ? eventSchemas[type] : z.object(Envelope);
  return redacted(z.object({ ...envelopeFields, detail }), event);
};

export interface EventFilter {
  readonly type?: readonly string[] | undefined;
  readonly account?: string | undefined;
  /** Only events of missed calls, first recorded or revised. */
  readonly missed?: boolean | undefined;
}

export const matchesFilter = (event: ReceivedEvent, { type = [], account, missed }: EventFilter): boolean =>
  (type.length === 0 || type.includes(event['detail-type'])) &&
  (account === undefined || event.detail.account === account) &&
  (!missed || isMissed(Object(event.detail['call'])));

export const patternFor = ({ type = [], account, missed }: EventFilter): string => {
  const detail = { ...(account !== undefined && { account: [account] }), ...(missed && { call: missedCalls }) };
  return JSON.stringify({
    source: [eventSource],
    ...(type.length > 0 && { 'detail-type': type }),
    ...(Object.keys(detail).length > 0 && { detail }),
  });
};

const visible = z.string().refine((text) => text !== hidden);
const word = visible.optional().catch(undefined);
const state = z.object({ state: word }).optional().catch(undefined);

const EventFields = z.object({
  account: word,
  occurredAt: word,
  callId: word,
  participantId: word,
  agentId: word,
  previous: state,
  current: state,
  reason: word,
  replayedAt: word,
  revision: z.number().optional().catch(undefined),
  changedFields: z.array(visible).optional().catch(undefined),
  call: z.object({ status: word, type: word }).optional().catch(undefined),
  source: z.literal('report').optional().catch(undefined),
});

const typeWidth = 'Call Participant Recorded'.length;

const fieldsOf = (event: ReceivedEvent) => EventFields.parse(redactedEvent(event).detail);

/** What it is about, beside its time, account and type. */
export const eventText = (event: ReceivedEvent): string => printable(textOf(fieldsOf(event)));

const textOf = ({ revision = 1, changedFields, previous, current, ...fields }: z.infer<typeof EventFields>): string => {
  const named = (name: string, value: string | undefined) => value && `${name} ${value}`;
  const about = [
    named('call', fields.callId),
    named('participant', fields.participantId),
    revision !== 1 && `revision ${revision}`,
    named('changed', changedFields?.join(', ')),
    fields.call && outcomeText(fields.call),
    named('agent', fields.agentId),
    current?.state && `${wordText(previous?.state ?? '-')} → ${wordText(current.state)}`,
    fields.reason,
    fields.source && 'found in the call report only',
    named('replayed', fields.replayedAt),
  ];
  return about.filter(Boolean).join('  ');
};

export const eventLine = (event: ReceivedEvent): string => {
  const fields = fieldsOf(event);
  const { account = '-', occurredAt = '-' } = fields;
  return printable(`${occurredAt}  ${account}  ${event['detail-type'].padEnd(typeWidth)}  ${textOf(fields)}`.trimEnd());
};
