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

/**
 * The media type under which a recording is stored and served: what its host named, if that is a plain type of audio or video.
 * A browser would run what another type holds, and reads any `+xml` as a document.
 */
export const recordingType = (named: string | undefined): string =>
  /^(?:audio|video)\/[a-z\d.-]{1,100}(?=$|[\s;,])/i.exec(named ?? '')?.[0].toLowerCase() ?? 'application/octet-stream';
