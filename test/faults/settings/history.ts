import fc from 'fast-check';
import { weighted } from '../../support/arbitraries.ts';

/** The settings of the account that decide how its calls are read. */
export interface Settings {
  readonly timeZone: string;
  readonly country?: string | undefined;
  /** Whether the account explains a word that is in no vocabulary. */
  readonly knowsAbandoned: boolean;
}

/** A record in the sender's spelling. */
export type Sent = Readonly<Record<string, unknown>>;

/** The receiver that started when the settings changed, or one from before, which reads them again after five minutes. */
export type Receiver = 'new receiver' | 'old receiver';

export type Activity =
  | { readonly do: 'change'; readonly settings: Settings }
  /** While the table is down, a post is parked. */
  | { readonly do: 'post'; readonly via: Receiver; readonly records: readonly Sent[]; readonly isTableDown: boolean }
  /** Repeats an earlier post, by its index modulo their number. */
  | { readonly do: 'repeat'; readonly via: Receiver; readonly of: number; readonly isTableDown: boolean }
  | { readonly do: 'recover' }
  /** The call report has these records, and is read. */
  | { readonly do: 'report'; readonly records: readonly Sent[] };

export interface Step {
  readonly afterSeconds: number;
  readonly activity: Activity;
}

/** Everything that decides what happens. */
export interface SettingsHistory {
  readonly first: Settings;
  readonly steps: readonly Step[];
}

/** The day of which calls tell. It is over in every zone, so that the report of it is complete. */
export const reportedDay = '2026-11-18';

const mostly = <Value>(usual: Value, ...others: readonly Value[]) =>
  weighted([3, fc.constant(usual)], [1, fc.constantFrom(...others)]);
const maybe = <Value>(...values: readonly Value[]) =>
  weighted<Value | undefined>([1, fc.constant(undefined)], [2, fc.constantFrom(...values)]);

const settings: fc.Arbitrary<Settings> = fc.record({
  timeZone: fc.constantFrom('Asia/Kolkata', 'Europe/London', 'America/New_York', 'UTC'),
  country: maybe('IN', 'GB', 'US'),
  knowsAbandoned: fc.boolean(),
});

/** Each is another number, or none, in another country. `e164In` of the checks has which. */
const numbers = ['07700900674', '02079460000', '+919876543210', '100'] as const;

const [dayOfCall, nightOfClocks] = [reportedDay, '2026-11-01'];

/** Times of the day and at its edges, and in New York one of the hour that comes twice. */
const starts = [`${dayOfCall} 09:00:00`, `${dayOfCall} 00:10:00`, `${nightOfClocks} 01:30:00`] as const;
const ends = [`${dayOfCall} 09:05:00`, `${dayOfCall} 23:58:00`, `${nightOfClocks} 01:40:00`] as const;

/** Two calls and their legs, and calls that only their content names. */
const summary = fc
  .record({
    monitorUCID: mostly<string | undefined>('4101', '4102', undefined),
    UCID: maybe('leg 1', 'leg 2', '4101'),
    Status: fc.constantFrom('Answered', 'NotAnswered', 'Abandoned'),
    Type: fc.constantFrom('Inbound', 'Manual'),
    CallerID: fc.constantFrom(...numbers),
    StartTime: maybe(...starts),
    EndTime: maybe(...ends),
    CallDuration: maybe('00:10:00', '01:10:00'),
    AgentID: maybe('asha', 'ravi'),
    AgentPhoneNumber: maybe(...numbers),
    Disposition: maybe('Sale', 'Wrap up time exceeded :120'),
    AudioFile: maybe('https://recordings.example/1.mp3'),
  })
  .map(withoutBlanks);

const participant = fc
  .record({
    UCID: fc.constantFrom('4101', '4102'),
    ExitStatus: fc.constant('HANGUP'),
    ParticipantNumber: fc.constantFrom(...numbers),
    StartTime: maybe(...starts),
    PickupTime: maybe(...starts),
    EndTime: maybe(...ends),
  })
  .map(withoutBlanks);

const reported = fc
  .record({
    CallID: fc.constantFrom('4101', '4102', '4103'),
    CallDate: maybe(reportedDay),
    StartTime: maybe('09:00:00', '00:10:00'),
    PickupTime: maybe('09:00:10'),
    EndTime: maybe('09:05:00', '00:05:00'),
    Status: fc.constantFrom('Answered', 'Unanswered'),
    Type: fc.constantFrom('Inbound', 'Manual'),
    CallerID: fc.constantFrom(...numbers),
    AgentID: maybe('asha', 'ravi'),
    Disposition: maybe('Sale', 'Refund'),
  })
  .map(withoutBlanks);

/** As JSON has it. */
function withoutBlanks(record: Sent): Sent {
  return JSON.parse(JSON.stringify(record));
}

const via = fc.constantFrom<Receiver>('new receiver', 'old receiver');
const isTableDown = weighted([3, fc.constant(false)], [1, fc.constant(true)]);

const posted = fc
  .tuple(fc.array(summary, { minLength: 1, maxLength: 2 }), weighted([2, fc.constant(undefined)], [1, participant]))
  .map(([calls, one]) => (one === undefined ? calls : [...calls, one]));

const activity = weighted<Activity>(
  [3, fc.record({ do: fc.constant('change' as const), settings })],
  [6, fc.record({ do: fc.constant('post' as const), via, records: posted, isTableDown })],
  [3, fc.record({ do: fc.constant('repeat' as const), via, of: fc.nat({ max: 9 }), isTableDown })],
  [1, fc.constant({ do: 'recover' as const })],
  [2, fc.record({ do: fc.constant('report' as const), records: fc.array(reported, { minLength: 1, maxLength: 2 }) })],
);

/** Receivers from before a change have read it after the longest of these. */
const step: fc.Arbitrary<Step> = fc.record({ afterSeconds: fc.constantFrom(1, 60, 301), activity });

/** Histories of one account, whose settings change while its calls arrive. */
export const settingsHistories: fc.Arbitrary<SettingsHistory> = fc.record({
  first: settings,
  steps: fc.array(step, { minLength: 2, maxLength: 9 }),
});
