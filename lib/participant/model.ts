import * as z from 'zod';
import { dialStatuses } from '../call-summary/vocabularies.ts';
import { field, instant, text, texts, word } from '../contract/field.ts';
import { Note } from '../contract/note.ts';

/** What one delivery says of a participant in a call (AdvancedCallBacks). The meaning of most fields is not documented. */
export const ParticipantFacts = z
  .strictObject({
    participantNumber: field(text.optional(), 'ParticipantNumber as sent.', {
      origin: 'ParticipantNumber',
      personal: true,
    }),
    agentName: field(text.optional(), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    dialStatus: field(word(dialStatuses.words).optional(), 'The telephony response.', { origin: 'DialStatus' }),
    dialStatusAsSent: field(text.optional(), 'The word as sent, where it is unknown.', {
      origin: 'DialStatus',
      personal: true,
    }),
    exitStatus: field(text.optional(), 'ExitStatus as sent.', { origin: 'ExitStatus', personal: true }),
    startedAt: field(instant.optional(), 'When the participation started.', { origin: 'StartTime' }),
    pickedUpAt: field(instant.optional(), 'PickupTime as an instant.', { origin: 'PickupTime' }),
    endedAt: field(instant.optional(), 'When it ended; absent while it goes on.', { origin: 'EndTime' }),
    timeZone: field(text, 'The IANA zone in which the sender’s local times were read.'),
    recordings: field(texts.optional(), 'URLs of the recordings, each once.', { origin: 'Audio', personal: true }),
    did: field(text.optional(), 'The number through which the call came.', { origin: 'DID' }),
    sourceCallId: field(text.optional(), 'CallID as sent.', { origin: 'CallID' }),
    ucid: field(text.optional(), 'UCID as sent.', { origin: 'UCID' }),
    extra: field(z.record(z.string(), text).optional(), 'What was sent beside the documented fields, as sent.', {
      personal: true,
    }),
    notes: field(z.array(Note).min(1).readonly().optional(), 'What is odd about the values.'),
  })
  .meta({ title: 'Participant facts' });
export type ParticipantFacts = z.infer<typeof ParticipantFacts>;
