import type { Folded } from '../callback/fold-keys.ts';
import { contentHash } from '../json/canonical-json.ts';
import type { Note } from '../record/note.ts';
import type { CallFacts } from './model.ts';
import type { WireCallField } from './wire.ts';

/** Which call a summary tells of, and which leg of it; unique within an account. */
export interface CallIdentity {
  readonly callId: string;
  readonly leg: string;
  readonly notes: readonly Note[];
}

const identityFields = ['monitorUCID', 'UCID', 'CallID', 'DataUniqueId'] as const;

/** Ids are 14 to 25 digits in practice; a text far longer would not fit into a key and cannot be an id. */
const maxIdLength = 100;

/** Digits are kept as the text that was sent. Without any id, the content itself names the call. */
export const identityOf = ({ fields, nested }: Folded<WireCallField>, facts: CallFacts): CallIdentity => {
  const id = (field: WireCallField) => {
    const text = fields.get(field);
    return text !== undefined && text.length <= maxIdLength && !nested.has(field) ? text : undefined;
  };
  const source = identityFields.find((field) => id(field) !== undefined);
  const callId = (source && id(source)) ?? `content-${contentHash(facts)}`;

  return {
    callId,
    leg: [id('CallID'), id('UCID')].find((other) => other !== undefined && other !== callId) ?? 'main',
    notes: source === 'monitorUCID' ? [] : [fallbackNote(fields.get('monitorUCID'))],
  };
};

/** Which field stood in is plain from the record; an id that could not be used is in it nowhere else. */
const fallbackNote = (unusable: string | undefined): Note => ({
  field: 'callId',
  reason: 'fallback-identity',
  ...(unusable !== undefined && { asSent: unusable }),
});
