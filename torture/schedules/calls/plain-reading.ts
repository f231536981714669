import type { Facts } from '../../../lib/record/delivery.ts';
import type { AccountIndex, Post } from './calls-history.ts';
import { straySecret } from './cast.ts';

type Sent = Post['records'][number];

/** When the local times of a play are, for each of its accounts: minutes after the first of them. */
const minutes: Readonly<Record<string, number>> = {
  '2026-11-20 11:00:00': 0,
  '2026-11-20 11:02:00': 2,
  '2026-11-20 11:05:00': 5,
};
const firstAt = ['2026-11-20T05:30:00.000Z', '2026-11-20T11:00:00.000Z'] as const;

const statuses: Readonly<Record<string, string>> = {
  Answered: 'answered',
  NotAnswered: 'not-answered',
  Fail: 'unknown',
};
const seconds: Readonly<Record<string, number>> = { '00:00:10': 10, 12: 12 };
const blanks = ['', '-', 'None'];

const textIn = (record: Sent, name: string): string | undefined => {
  const value = record[name];
  return typeof value !== 'string' || blanks.includes(value) ? undefined : value;
};

/**
 * The few values that a play has, read by hand: what their record says under our names, and where there is nothing. It
 * shares nothing with the receiver.
 */
export const readPlainly = (record: Sent, account: AccountIndex): Facts => {
  const text = (name: string) => textIn(record, name);
  const chain = (name: string) => text(name)?.split(' -> ');
  const urls = (name: string) => {
    const all = text(name)?.split(',');
    return all && [...new Set(all)];
  };
  const instant = (name: string): string | undefined => {
    const later = minutes[text(name) ?? ''];
    return later === undefined ? undefined : new Date(Date.parse(firstAt[account]) + later * 60_000).toISOString();
  };
  const times = { startedAt: instant('StartTime'), endedAt: instant('EndTime') };
  if ('UCID' in record)
    return {
      ...times,
      pickedUpAt: instant('PickupTime'),
      agentName: text('AgentName'),
      exitStatus: text('ExitStatus'),
      recordings: urls('Audio'),
    };
  const extra = Object.entries(record).filter(([name]) => name === 'SkillID' || name === 'Tenant');
  return {
    ...times,
    status: statuses[text('Status') ?? ''],
    callDurationSeconds: seconds[text('CallDuration') ?? ''],
    customerNumber: text('CallerID'),
    agentIds: chain('AgentID'),
    dispositions: chain('Disposition'),
    comments: chain('Comments')?.map((comment) => comment.replace(straySecret, '***')),
    recordings: urls('AudioFile'),
    conferenceRecordings: urls('CallerConfAudioFile'),
    extra: extra.length === 0 ? undefined : Object.fromEntries(extra),
  };
};
