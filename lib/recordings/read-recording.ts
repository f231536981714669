import * as z from 'zod/mini';
import { type Row, readRow } from '../storage/rows.ts';
import { ArchivedRecording, Recording } from './schema.ts';

/** The recording in a row. Throws if Callfeed did not write the row. */
export const recordingOf = (row: Row): Recording => readRow(Recording, row);

const ArchivedFields = z.object(ArchivedRecording.shape);

/** The archived recording in a row, as published. Throws if Callfeed did not write the row, or did not archive it. */
export const archivedRecordingOf = (row: Row): ArchivedRecording => readRow(ArchivedFields, row);
