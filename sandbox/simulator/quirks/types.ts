import { bare, type Fields, withTexts } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** Habits with the type of a value. */
export const typeQuirks = [
  {
    name: 'numbers-as-text',
    probability: 0.05,
    prepare:
      (_, { call }) =>
      (fields): Fields => ({ ...othersAsText(fields), CallID: call.legId, UCID: call.id }),
  },
  {
    name: 'text-as-numbers',
    probability: 0.05,
    prepare: () => (fields) => withTexts(fields, numeric, (text) => (/^[1-9]\d*$/.test(text) ? bare(text) : text)),
  },
] as const satisfies readonly FieldQuirk[];

const numeric = ['CallerID', 'Did', 'DID', 'DialedNumber', 'AgentPhoneNumber', 'AgentUniqueID', 'DataUniqueId'];

// How the call's own id is written is another habit.
const othersAsText = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      value !== null && typeof value === 'object' && key !== 'monitorUCID' ? [key, value.digits] : [key, value],
    ),
  );
