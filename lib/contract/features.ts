import { CallRecordingArchived, Recording, recordingKind, recordingRow } from '../recordings/schema.ts';

/**
 * What the optional features add to the contract: rows, events, and the kinds of row that make the events. This is the only
 * place of the contract that names a feature.
 */
export const featureRows = { Recording };
export const featureEvents = { 'Call Recording Archived': CallRecordingArchived };
export const featureRowKinds = { [recordingKind]: recordingRow };

export { CallRecordingArchived, Recording };
