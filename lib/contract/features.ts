import { CallRecordingArchived, Recording, recordingEventRow, recordingKind } from '../recordings/schema.ts';
import type { OneEventRow } from '../storage/event.ts';

/**
 * What the optional features add to the contract: rows, events, and the kinds of row that make the events. `index.ts`
 * exports their schemas.
 */
export const featureRows = { Recording };
export const featureEvents = { 'Call Recording Archived': CallRecordingArchived };
export const featureRowKinds: Readonly<Record<string, OneEventRow<keyof typeof featureEvents>>> = {
  [recordingKind]: recordingEventRow,
};

export { CallRecordingArchived, Recording };
