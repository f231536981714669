import { type Answer, jsonAnswer } from '../../http/serve.ts';
import type { Fields } from '../summary/fields.ts';
import { htmlPage, truncated } from './answer-quirks.ts';
import { errorTexts, textError } from './responses.ts';

/** An unusual answer of the call report. `write` makes the normal answer of records. */
export interface ReportQuirk {
  readonly name: string;
  readonly answer: (records: readonly Fields[], write: (records: readonly Fields[]) => Answer) => Answer;
}

/** More than a client should read: JSON may end in blanks. */
const hugeBytes = 17 * 1024 * 1024;

/** Answers that readers of the report have met, and failures that any HTTP service can have. */
export const reportQuirks = [
  { name: 'report-empty', answer: (_, write) => write([]) },
  { name: 'report-half', answer: (records, write) => write(records.slice(0, Math.floor(records.length / 2))) },
  {
    name: 'report-malformed',
    answer: (records, write) => write([...records, { CallID: '', Status: 'Answered' }, { UCID: null }]),
  },
  { name: 'report-no-data', answer: () => jsonAnswer(200, { status: 'fail', message: 'No Data Found' }) },
  { name: 'report-limit-text', answer: () => textError(errorTexts.limit) },
  { name: 'report-429', answer: () => textError(errorTexts.limit, 429) },
  { name: 'report-401', answer: () => jsonAnswer(401, { status: 'false', message: 'Token Expired', data: null }) },
  { name: 'report-405', answer: () => ({ status: 405 }) },
  { name: 'report-500', answer: () => textError('Internal error', 500) },
  { name: 'report-html', answer: () => htmlPage },
  { name: 'report-truncated', answer: (records, write) => truncated(write(records)) },
  {
    name: 'report-huge',
    answer: (records, write) => ({ ...write(records), body: String(write(records).body).padEnd(hugeBytes) }),
  },
  { name: 'report-slow', answer: (records, write) => write(records) },
] as const satisfies readonly ReportQuirk[];
