import { CallRecordingArchived, Recording, recordingKind, recordingRow } from '../recordings/schema.ts';

/**
 * What the optional features add to the contract: rows, events, and the kinds of row that make the events. `rows.ts` and
 * `index.ts` export their types.
 */
export const featureRows = { Recording };
export const featureEvents = { 'Call Recording Archived': CallRecordingArchived };
export const featureRowKinds = { [recordingKind]: recordingRow };

export { CallRecordingArchived, Recording };
