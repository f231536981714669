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
  /** While the table is down, a post is parked. */
  | { readonly do: 'post'; readonly via: Receiver; readonly records: readonly Sent[]; readonly isTableDown: boolean }
  /** Repeats an earlier post, counted backwards from the latest, modulo their number. */
  | { readonly do: 'repeat'; readonly via: Receiver; readonly back: number; readonly isTableDown: boolean }
  | { readonly do: 'recover' }
  /** The call report has these records, and is read. */
  | { readonly do: 'report'; readonly records: readonly Sent[] };

export interface Step {
  readonly afterSeconds: number;
  /** What changes of the account first. */
  readonly change?: Partial<Settings> | undefined;
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

const zones = fc.constantFrom('Asia/Kolkata', 'Europe/London', 'America/New_York', 'UTC');
const countries = weighted<string | undefined>([1, fc.constant(undefined)], [1, fc.constantFrom('IN', 'GB', 'US')]);

const settings: fc.Arbitrary<Settings> = fc.record({
  timeZone: zones,
  country: countries,
  knowsAbandoned: fc.boolean(),
});

/** Most changes are of one setting. With the same zone a repeat is the same delivery, even in another country. */
const changes = weighted<Partial<Settings>>(
  [2, fc.record({ country: countries })],
  [2, fc.record({ timeZone: zones })],
  [1, settings],
);

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
    UCID: maybe('leg 1', 'leg 2'),
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

const via = weighted<Receiver>([2, fc.constant('new receiver')], [1, fc.constant('old receiver')]);
const isTableDown = fc.boolean();

/** Mostly the latest. */
const earlier = weighted([2, fc.constant(0)], [1, fc.nat({ max: 9 })]);

const posted = fc
  .tuple(fc.array(summary, { minLength: 1, maxLength: 2 }), weighted([2, fc.constant(undefined)], [1, participant]))
  .map(([calls, one]) => (one === undefined ? calls : [...calls, one]));

const post = fc.record({ do: fc.constant('post' as const), via, records: posted, isTableDown });

const activity = weighted<Activity>(
  [4, post],
  [3, fc.record({ do: fc.constant('repeat' as const), via, back: earlier, isTableDown })],
  [1, fc.constant({ do: 'recover' as const })],
  [1, fc.record({ do: fc.constant('report' as const), records: fc.array(reported, { minLength: 1, maxLength: 2 }) })],
);

/** Receivers from before a change have read it after the longest of these. */
const afterSeconds = fc.constantFrom(1, 60, 301);

const change = weighted([2, fc.constant(undefined)], [1, changes]);

/** Histories of one account, whose settings change while its calls arrive. They begin with a post. */
export const settingsHistories: fc.Arbitrary<SettingsHistory> = fc.record({
  first: settings,
  steps: fc
    .tuple(
      fc.record({ afterSeconds, activity: post }),
      fc.array(fc.record({ afterSeconds, change, activity }), { minLength: 1, maxLength: 7, size: 'max' }),
    )
    .map(([opening, others]): readonly Step[] => [opening, ...others]),
});
