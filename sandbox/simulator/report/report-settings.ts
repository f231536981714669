import * as z from 'zod';

/** How the call report of an account behaves. Accounts differ in all of this. */
export const ReportSettings = z.strictObject({
  /** What a bearer token does: it is refused with 401, it is ignored, or the paged form needs a valid one. */
  token: z.enum(['refused', 'ignored', 'needed-by-pages']),
  /** Whether the unpaged form answers `{"details": [...]}` or the bare list. */
  list: z.enum(['details', 'bare']),
  /** How `CallID` and `UCID` are written. */
  ids: z.enum(['numbers', 'text']),
  /** How the blanks in texts are written. */
  blanks: z.enum(['blank', 'plus']),
  /** What yesterday's report is from 03:00 to 03:05, while the day moves to another database. */
  move: z.enum(['unseen', 'empty', 'shorter']),
  /** How many hours later a tenth of the calls get their recording and disposition. */
  lateHours: z.number().min(0).max(48),
});
export type ReportSettings = z.infer<typeof ReportSettings>;

/** As in the service's own example. */
export const defaultReport: ReportSettings = {
  token: 'refused',
  list: 'details',
  ids: 'numbers',
  blanks: 'blank',
  move: 'unseen',
  lateHours: 0,
};

/** The body of `POST /_simulator/report`: the settings to change, of one account or of all. */
export const ReportRequest = z.strictObject({
  ...ReportSettings.partial().shape,
  account: z.string().min(1).optional(),
});
export type ReportRequest = z.infer<typeof ReportRequest>;
