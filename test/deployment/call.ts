import type { CallEventType } from '../../lib/contract/call-events.ts';
import { specificationSummary } from '../fixtures/calls.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A call summary as the service posts it. Each method gives another version of it. */
export interface CallSummary {
  readonly fields: Fields;
  readonly with: (fields: Fields) => CallSummary;
  readonly without: (...names: readonly string[]) => CallSummary;
  readonly answered: () => CallSummary;
  readonly missed: () => CallSummary;
  readonly withDisposition: (text: string) => CallSummary;
  readonly withRecording: (url: string) => CallSummary;
  /** The account's key, which the record carries. */
  readonly byKey: (key: string) => CallSummary;
}

/** The specification's call summary, with some fields replaced. Like the service's first post it has no disposition. */
export const call = (fields: Fields = {}): CallSummary => summaryOf({ ...specificationSummary, ...fields });

const summaryOf = (fields: Fields): CallSummary => {
  const changed = (more: Fields): CallSummary => summaryOf({ ...fields, ...more });
  return {
    fields,
    with: changed,
    without: (...names) =>
      summaryOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))),
    answered: () => changed({ Status: 'Answered', AgentStatus: 'answered', CustomerStatus: 'answered' }),
    missed: () => changed({ Status: 'NotAnswered', AgentStatus: 'NotAnswered', Duration: '00:00:00', AudioFile: '' }),
    withDisposition: (Disposition) => changed({ Disposition }),
    withRecording: (AudioFile) => changed({ AudioFile }),
    byKey: (Apikey) => changed({ Apikey }),
  };
};

const isSummary = (value: unknown): value is CallSummary => typeof Object(value).withDisposition === 'function';

/** What a test posts, as the value that goes into JSON. */
export const postedValue = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(postedValue);
  return isSummary(data) ? data.fields : data;
};

/** An event of a call, as far as most tests look. */
export interface CallEvent {
  readonly type: CallEventType;
  readonly revision: number;
  readonly changedFields?: readonly string[];
}

/** The first event of a call. */
export const recorded = (revision = 1): CallEvent => ({ type: 'Call Summary Recorded', revision });

/** The event of a later revision, with the fields that it names. */
export const revised = (revision: number, changedFields: readonly string[]): CallEvent => ({
  type: 'Call Summary Revised',
  revision,
  changedFields,
});

/** The event of a participant. */
export const participantRecorded = (revision = 1): CallEvent => ({ type: 'Call Participant Recorded', revision });
