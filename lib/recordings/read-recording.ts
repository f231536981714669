import * as z from 'zod/mini';
import { type Row, readRow, storedWord } from '../storage/rows.ts';
import { ArchivedRecording, Recording, type RecordingProblem, type RecordingStatus } from './schema.ts';

const StoredFields = z.extend(Recording, {
  status: storedWord<RecordingStatus>(),
  problem: z.optional(storedWord<RecordingProblem>()),
});

/** The recording in a row. Throws if Callfeed did not write the row. */
export const recordingOf = (row: Row): Recording => readRow(StoredFields, row);

const ArchivedFields = z.object(ArchivedRecording.shape);

/** The archived recording in a row, as published. Throws if Callfeed did not write the row, or did not archive it. */
export const archivedRecordingOf = (row: Row): ArchivedRecording => readRow(ArchivedFields, row);
