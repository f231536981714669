import * as z from 'zod/mini';
import { type Row, readRow } from '../storage/rows.ts';
import { ArchivedRecording, Recording, type RecordingProblem, type RecordingStatus } from './schema.ts';

/** A newer version may have written words that this one does not know: they must not hold up the call's other recordings. */
const StoredFields = z.extend(Recording, {
  status: z.string() as unknown as z.ZodMiniType<RecordingStatus>,
  problem: z.optional(z.string() as unknown as z.ZodMiniType<RecordingProblem>),
});

/** The recording in a row. Throws if Callfeed did not write the row. */
export const recordingOf = (row: Row): Recording => readRow(StoredFields, row);

const ArchivedFields = z.object(ArchivedRecording.shape);

/** The archived recording in a row, as published. Throws if Callfeed did not write the row, or did not archive it. */
export const archivedRecordingOf = (row: Row): ArchivedRecording => readRow(ArchivedFields, row);
