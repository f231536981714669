import { describe, expect, it } from 'vitest';
import { callFacts } from '../support/facts-of.ts';

/** How times and durations are written in production. */
describe('the receiver survives', () => {
  it('a duration that contradicts start and end: each is kept under its own name', () => {
    const posted = {
      StartTime: '2026-11-20 11:00:00',
      EndTime: '2026-11-20 11:04:10',
      CallDuration: '00:04:10',
      Duration: '00:03:52',
      ConfDuration: '00:09:00',
    };

    expect(callFacts(posted)).toMatchObject({
      callDurationSeconds: 250,
      durationSeconds: 232,
      conferenceSeconds: 540,
    });
  });

  it.each([
    ['00:03:52', 232],
    ['03:52', 232],
    ['232', 232],
    [232, 232],
    ['', undefined],
  ])('a duration sent as %j', (sent, seconds) => {
    expect(callFacts({ Duration: sent }).durationSeconds).toBe(seconds);
  });

  it.each([
    ['Asia/Kolkata', '2026-11-20 11:00:00', '2026-11-20T05:30:00.000Z'],
    ['Europe/London', '2026-11-20 11:00:00', '2026-11-20T11:00:00.000Z'],
    ['Asia/Kolkata', '2026:11:20 11:00:00', '2026-11-20T05:30:00.000Z'],
    ['Asia/Kolkata', '2026-11-20T05:30:00Z', '2026-11-20T05:30:00.000Z'],
    ['Europe/London', '2026-11-20T05:30:00Z', '2026-11-20T05:30:00.000Z'],
  ])('a time without a zone, read in %s: %s', (zone, sent, instant) => {
    expect(callFacts({ StartTime: sent }, zone)).toMatchObject({ startedAt: instant, timeZone: zone });
  });

  it('an end that equals the start', () => {
    const time = '2026-11-20 11:00:00';

    expect(callFacts({ StartTime: time, EndTime: time }).notes).toBeUndefined();
  });
});
