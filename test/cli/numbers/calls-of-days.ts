import type { Account } from '../../../lib/accounts/accounts.ts';
import { addDays, localTime } from '../../../lib/core/time.ts';

interface DayOfCalls {
  readonly timeZone: string;
  readonly now: string;
  readonly isToday: boolean;
  readonly isChange: boolean;
}

type Fields = Readonly<Record<string, string>>;

const clock = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** Names that a shell and a link have to quote. */
const skills = ['Sales', "It's $(id)", 'A "B" & C', ''];
const campaigns = ['Autumn', '-x; y', ''];
const agents = ['asha', 'ravi', 'li & co', 'asha -> ravi'];
const types = ['Inbound', 'Inbound', 'Inbound', 'Manual', 'Inbound', 'Progressive', 'Inbound', 'IVR', 'Inbound', ''];

/** The same few people in several spellings, so that some ring again and some are called back; and some without a number. */
const callers = [
  '+447700900001',
  '07700 900002',
  '447700900001',
  '0044 7700 900003',
  '',
  '07700900004',
  'anonymous',
  '07700900002',
];

const answered = (index: number): Fields => ({
  Status: 'Answered',
  AgentID: pick([...agents, ''], index),
  TimeToAnswer: pick(['00:00:05', '00:00:13', '00:00:14', '00:00:20', '00:00:21', '00:00:45', ''], index),
  Duration: clock(30 + index),
  HoldDuration: pick(['', '00:00:07'], index),
  WrapUpDuration: clock(index % 40),
});

const missed = (index: number): Fields => ({
  Status: 'NotAnswered',
  AgentID: pick(['', 'ravi', ''], index),
  HangupBy: pick(['UserHangup', 'UserHangup', 'SystemHangup', '', 'UserHangup'], index),
});

/** Which seconds a call lasts: a missed one is short below ten. */
const lengthOf = (index: number): number => pick([3, 9, 10, 42, 100], index);

const callAt = (id: string, at: string, index: number): Fields => {
  const start = Date.parse(`${at.replace(' ', 'T')}Z`);
  const status = index % 3 === 1 ? missed(index) : index % 11 === 8 ? { Status: '' } : answered(index);
  return {
    monitorUCID: id,
    StartTime: at,
    EndTime: new Date(start + lengthOf(index) * 1_000).toISOString().slice(0, 19).replace('T', ' '),
    Type: pick(types, index),
    Skill: pick(skills, Math.floor(index / 2)),
    CampaignName: pick(campaigns, Math.floor(index / 3)),
    CallerID: pick(callers, index * 5 + 1),
    ...status,
  };
};

/** One that rang at somebody in vain before somebody else answered: each has a part of it. */
const passedOn = (id: string, at: string): readonly Fields[] => {
  const whole = callAt(id, at, 0);
  return [
    { ...whole, UCID: `${id}1`, AgentID: 'asha', Status: 'NotAnswered', TimeToAnswer: '', Duration: '' },
    { ...whole, UCID: `${id}2`, AgentID: 'ravi', Status: 'Answered', TimeToAnswer: '00:00:35', Duration: '00:01:00' },
  ];
};

/** The calls of a day: at its edges, at those of quarters and of the compared time, and spread over it with every outcome. */
export const callsOf = (
  { userName, apiKeys: [Apikey = ''] }: Account,
  day: string,
  about: DayOfCalls,
): readonly Fields[] => {
  const { timeZone, now, isToday, isChange } = about;
  const nowMs = Date.parse(localTime(now, timeZone));
  const compared = new Date(nowMs).toISOString().slice(11, 19);
  const aSecond = (by: number) => new Date(nowMs + by * 1_000).toISOString().slice(11, 19);
  const atEdges = ['00:00:00', '10:14:59', '10:15:00', aSecond(-1), compared, aSecond(1), '23:59:50', '23:59:59'];
  const spread = Array.from({ length: isToday ? 36 : 14 }, (_, index) => clock((index * 7_177 + 3_000) % 86_400));
  const times = [...atEdges, ...spread].filter((time) => !isToday || time <= compared);
  const prefix = `7${day.replaceAll('-', '')}`;
  const calls = times.map((time, index) =>
    callAt(`${prefix}${String(index).padStart(4, '0')}`, `${day} ${time}`, index),
  );
  // The hour that clocks repeat, as instants: an account's clock says the same twice.
  const twice = ['00:30:00', '01:30:00', '01:45:00'].map((time, index) => ({
    ...callAt(`${prefix}8${String(index).padStart(3, '0')}`, `${day} ${time}`, index),
    StartTime: `${day}T${time}Z`,
    EndTime: `${day}T${time.slice(0, 6)}40Z`,
  }));
  return [
    ...calls,
    ...(isChange ? twice : []),
    ...passedOn(`${prefix}9000`, `${day} 09:05:00`),
    ...passedOn(`${prefix}9001`, `${day} 09:55:00`),
  ].map((fields) => ({ UserName: userName, Apikey, ...fields }));
};

/** Of another account, at the same times and with the same names: no number of the first one counts them. */
export const callsOfOthers = ({ userName, apiKeys: [Apikey = ''] }: Account, days: readonly string[]) =>
  days.flatMap((day) =>
    Array.from({ length: 9 }, (_, index) => ({
      UserName: userName,
      Apikey,
      ...callAt(`8${addDays(day, 0).replaceAll('-', '')}${index}000`, `${day} 09:${10 + index}:00`, index),
    })),
  );

/** A call that comes later, of an id and a local time. */
export const laterCall = ({ userName, apiKeys: [Apikey = ''] }: Account, id: string, at: string, index: number) => ({
  UserName: userName,
  Apikey,
  ...callAt(id, at, index),
});
