import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../../../lib/core/objects.ts';
import { callAccounts, straySecret } from '../accounts.ts';
import { must } from '../model.ts';
import { nameOf } from './call-rows.ts';
import type { AccountIndex, Post } from './history.ts';
import { deliveriesIn } from './ledger.ts';

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
const expectedReading = (record: Sent, account: AccountIndex): Facts => {
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

/** Each record of a post is understood as it was meant, and belongs to the call that it names. */
export const mustBeUnderstood = (post: Post): void => {
  const { records, account } = post;
  const { userName } = callAccounts[account];
  const understood = deliveriesIn(post);
  must(understood.length === records.length, () => `Of ${records.length} records ${understood.length} are understood`);
  for (const [index, { key, delivery }] of understood.entries()) {
    const { [index]: record = {} } = records;
    const [kind, callId, part] =
      'UCID' in record
        ? (['participant', record['UCID'], key.part] as const)
        : (['call', record['monitorUCID'], record['CallID'] ?? 'main'] as const);
    const [found, meant] = [
      nameOf(key.kind, key.account, key.callId, key.part),
      nameOf(kind, userName, String(callId), String(part)),
    ];
    must(found === meant, () => `What belongs to ${meant} is taken for that of ${found}`);
    for (const [field, value] of Object.entries(expectedReading(record, account)))
      must(
        isDeepStrictEqual(delivery.facts[field], value),
        () => `${field} of ${JSON.stringify(record)} is read as ${JSON.stringify(delivery.facts[field])}`,
      );
  }
};
