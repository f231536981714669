import { describe, expect, it } from 'vitest';
import { addDays, datesBetween, localTime, startOfDay } from '../../../lib/core/time.ts';
import { e164 } from '../../../lib/telephony/e164.ts';
import { createCalendar, daysBefore } from '../../../sandbox/demo/calendar.ts';
import { understaffed } from '../../../sandbox/demo/centre.ts';
import type { DayPlan } from '../../../sandbox/demo/day-plan.ts';
import { loggedInAt, postsOf } from '../../../sandbox/demo/day-posts.ts';
import { linksTo } from '../../../sandbox/demo/links.ts';

const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata', token: { kind: 'none' } } as const;
/** A Sunday. */
const startedOn = '2026-11-29';
const yesterday = addDays(startedOn, -1);
const dates = datesBetween(addDays(startedOn, -daysBefore), yesterday);
const weekOf = (seed: number) => {
  const calendar = createCalendar({ seed, startedOn, account });
  return dates.map((date) => calendar.dayOf(date));
};
const seeds = [1, 2, 3];
const weeks = new Map(seeds.map((seed) => [seed, weekOf(seed)]));
const week = weeks.get(1) ?? [];

type Call = DayPlan['calls'][number];
const isInbound = ({ type }: Call): boolean => type === 'Inbound';
const isMissed = (call: Call): boolean => isInbound(call) && !call.scenario.answered;
const share = (calls: readonly Call[], of: (call: Call) => boolean): number => calls.filter(of).length / calls.length;
const hourOf = ({ startedAt }: Call): number =>
  Number(localTime(new Date(startedAt).toISOString(), account.timeZone).slice(11, 13));
const isWorkday = ({ date }: DayPlan): boolean => ![0, 6].includes(new Date(date).getUTCDay());
const engagementsOf = (day: DayPlan) => day.calls.flatMap(({ engagements }) => engagements);

describe.each(seeds)('a planned week of seed %i', (seed) => {
  const days = weeks.get(seed) ?? [];
  const [last] = days.slice(-1);

  it('has some 300 calls on a working day, and fewer at the weekend', () => {
    for (const day of days.filter(isWorkday)) {
      expect(day.calls.length).toBeGreaterThan(240);
      expect(day.calls.length).toBeLessThan(420);
    }
    for (const day of days.filter((one) => !isWorkday(one))) expect(day.calls.length).toBeLessThan(260);
  });

  it('has two peaks, and quiet nights', () => {
    const callsAt = (...hours: readonly number[]) =>
      days
        .filter(isWorkday)
        .flatMap(({ calls }) => calls.filter((call) => isInbound(call) && hours.includes(hourOf(call)))).length /
      hours.length;
    expect(callsAt(10, 11)).toBeGreaterThan(1.2 * callsAt(13));
    expect(callsAt(15, 16)).toBeGreaterThan(1.2 * callsAt(13));
    expect(callsAt(7)).toBeLessThan(0.4 * callsAt(10));
    expect(callsAt(1, 2, 3, 4)).toBeLessThan(0.1 * callsAt(10));
  });

  it('gives no agent two calls at once', () => {
    for (const day of days)
      for (const own of Map.groupBy(engagementsOf(day), ({ agent }) => agent.id).values()) {
        const inOrder = own.toSorted((one, other) => one.ringsAt - other.ringsAt);
        for (const [index, { readyAt }] of inOrder.entries())
          expect(inOrder[index + 1]?.ringsAt ?? readyAt).toBeGreaterThanOrEqual(readyAt);
      }
  });

  it('has callers who try again, and callbacks by agents that reach some of those who gave up', () => {
    const calls = days.flatMap((day) => day.calls);
    const again = calls.filter((call) =>
      calls.some(
        (one) => isMissed(one) && one.customer === call.customer && one.startedAt < call.startedAt && isInbound(call),
      ),
    );
    const back = calls.filter(({ type, scenario }) => type === 'Manual' && scenario.answered);
    expect(again.length).toBeGreaterThan(30);
    expect(back.length).toBeGreaterThan(30);
  });

  it('has an hour on its last day in which far more give up than otherwise', () => {
    const inBadHour = (call: Call) => isInbound(call) && hourOf(call) === 16;
    const others = days.slice(0, -1).flatMap(({ calls }) => calls.filter(inBadHour));
    const missed = share(last?.calls.filter(inBadHour) ?? [], isMissed);
    expect(missed).toBeGreaterThan(0.4);
    expect(missed).toBeGreaterThan(1.6 * share(others, isMissed));
  });

  it('has a skill in which more give up than in any other', () => {
    const calls = days.flatMap((day) => day.calls).filter(isInbound);
    const missedShareOf = (skill: string) =>
      share(
        calls.filter(({ campaign }) => campaign.skill === skill),
        isMissed,
      );
    for (const skill of ['Sales', 'Support'])
      expect(missedShareOf(understaffed)).toBeGreaterThan(1.5 * missedShareOf(skill));
  });

  it('has a call that goes through three agents and on to another skill', () => {
    const [first, onwards] = last?.chain.map((id) => last.calls.find((call) => call.id === id)) ?? [];
    expect(first?.engagements).toHaveLength(3);
    expect(onwards?.userText).toContain(first?.id);
    expect(onwards?.scenario.answered).toBe(true);
  });

  it('has a campaign of outgoing calls on some days', () => {
    const withCampaign = days.filter(({ calls }) => calls.some(({ type }) => type === 'Progressive'));
    expect(withCampaign.length).toBeGreaterThan(0);
    expect(withCampaign.length).toBeLessThan(daysBefore);
  });

  it('has something behind each of the five links', () => {
    const links = last === undefined ? [] : linksTo(last);
    expect(links).toHaveLength(5);
    for (const { hash } of links) expect(hash).not.toContain('undefined');
    const [returned] = links;
    const call = last?.calls.find(({ id }) => returned?.hash.endsWith(id));
    expect(call && isMissed(call)).toBe(true);
  });
});

describe('a planned week', () => {
  it('is the same for the same seed and day, and another for another seed', () => {
    expect(weekOf(1)).toEqual(week);
    expect(weeks.get(2)?.map(({ calls }) => calls)).not.toEqual(week.map(({ calls }) => calls));
  });

  it('has numbers that nobody has, each with its E.164', () => {
    for (const { customer } of week.flatMap(({ calls }) => calls)) {
      expect(customer).toMatch(/^441\d\d4960\d{3}$/);
      expect(e164(customer, 'IN')).toBe(`+${customer}`);
    }
  });

  it('has twelve agents, who log in, pause and wrap up', () => {
    const states = week.flatMap((day) =>
      Array.from({ length: 24 * 60 }, (_, minute) => loggedInAt(day, day.from + minute * 60_000)).flat(),
    );
    expect(new Set(states.map(({ id }) => id)).size).toBe(12);
    expect(new Set(states.map(({ state }) => state))).toEqual(
      new Set(['READY', 'PAUSE', 'AUX', 'calling', 'INCALL', 'ACW']),
    );
  });

  it('has somebody logged in at midnight, the same person on both sides', () => {
    for (const [index, day] of week.slice(1).entries()) {
      const before = week[index];
      if (before === undefined) throw new Error('There is a day before.');
      expect(loggedInAt(before, before.until - 1000)).toEqual(loggedInAt(day, day.from));
      expect(loggedInAt(day, day.from)).toHaveLength(1);
    }
  });

  it('posts every call once it is over, and some again', () => {
    const posted = week.map((day) => ({ day, posts: postsOf(day, account) }));
    for (const { day, posts } of posted) {
      const ended = new Map(day.calls.map(({ id, endedAt }) => [id, endedAt]));
      expect(new Set(posts.map(({ callId }) => callId))).toEqual(new Set(ended.keys()));
      for (const { at, callId } of posts) expect(at).toBeGreaterThan(ended.get(callId) ?? at);
      expect(posts.length).toBeGreaterThan(1.1 * ended.size);
    }
  });
});

describe('a day on which clocks change', () => {
  it.each([
    ['2026-10-25', 25],
    ['2026-03-29', 23],
  ])('%s in Paris has %i hours, with calls within', (date, hours) => {
    const paris = { ...account, timeZone: 'Europe/Paris' };
    const day = createCalendar({ seed: 1, startedOn: '2026-12-01', account: paris }).dayOf(date);
    const next = Date.parse(startOfDay(addDays(date, 1), 'Europe/Paris'));
    expect(day.until - day.from).toBe(hours * 3_600_000);
    expect(day.until).toBe(next);
    for (const { startedAt, endedAt } of day.calls) {
      expect(startedAt).toBeGreaterThanOrEqual(day.from);
      expect(endedAt).toBeLessThan(next);
    }
    expect(loggedInAt(day, day.from + 2 * 3_600_000)).toHaveLength(1);
  });
});
