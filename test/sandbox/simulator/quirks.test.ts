import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../sandbox/simulator/call-quirks.ts';
import { parseDuration } from '../../../sandbox/simulator/summary/call-summary.ts';
import { callOf, firstOf, jsonOf, type Opened, opened, seeds } from './support/calls.ts';

const summariesOf = (kind: Kind) => seeds.map((seed) => firstOf(callOf(seed, kind).posts[0]));
const plainOf = (seed: number) => firstOf(callOf(seed, 'answered').posts[0]);
const valuesOf = (kind: Kind, key: string) => new Set(summariesOf(kind).map((summary) => summary[key]));
const keysOf = (summary: Opened, spelling: RegExp) => Object.keys(summary).filter((key) => spelling.test(key));

describe('blanks', () => {
  it('have all spellings in every call, including the omitted key', () => {
    for (const [index, summary] of summariesOf('blanks').entries()) {
      const values = Object.values(summary);

      for (const blank of ['', 'None', 'null', '-', null]) expect(values).toContain(blank);
      expect(Object.keys(summary).length).toBeLessThan(Object.keys(plainOf(seeds[index] ?? 0)).length);
    }
  });
});

describe('keys', () => {
  it.each([
    [/^did$/i, ['dId', 'Did', 'DID', 'DId', 'did']],
    [/^(monitorucid|ucid)$/i, ['monitorUCID', 'ucid']],
    [/^apikey$/i, ['Apikey', 'ApiKey', 'apikey']],
  ])('like %s have every spelling, one per call', (spelling, spellings) => {
    const found = summariesOf('key-spelling').map((summary) => keysOf(summary, spelling));

    for (const keys of found) expect(keys).toHaveLength(1);
    expect(new Set(found.flat())).toEqual(new Set(spellings));
  });
});

describe('enum values', () => {
  it('have other letter cases', () => {
    expect(valuesOf('value-spelling', 'Type')).toEqual(new Set(['inbound', 'InBound']));
    expect(valuesOf('value-spelling', 'Status')).toEqual(new Set(['answered']));
    expect(valuesOf('value-spelling', 'HangupBy')).toEqual(new Set(['User Hangup', 'Agent Hangup']));
  });

  it('include undocumented ones', () => {
    expect(valuesOf('unknown-values', 'DialStatus')).toEqual(
      new Set([
        'DND',
        'MaxDialTimeExceeded',
        'NoAnswer',
        'Authentication error',
        'NormalUnspecified',
        'QTimeExceeded{60}',
      ]),
    );
    expect(valuesOf('unknown-values', 'CustomerStatus')).toContain('BlockedNumber');
    expect(valuesOf('unknown-values', 'HangupBy')).toContain('agent_disconnect');
  });
});

describe('recordings', () => {
  it.each<readonly [Kind, string, RegExp]>([
    ['several-recordings', 'AudioFile', /^https:\S+-1\.mp3,https:\S+-2\.mp3,https:\S+-3\.mp3$/],
    ['repeated-recording', 'AudioFile', /^(https:[^,]+),\1$/],
    ['http-recording', 'AudioFile', /^http:\/\/recordings\.example\.com\//],
    ['conference-recordings', 'CallerConfAudioFile', /^https:\S+-1\.mp3 -> https:\S+-2\.mp3$/],
  ])('of the kind %s have the format of their kind', (kind, key, expected) => {
    for (const summary of summariesOf(kind)) expect(summary[key]).toMatch(expected);
  });
});

describe('sizes', () => {
  it('reach those observed in production', () => {
    for (const summary of summariesOf('over-long')) {
      expect(summary['AudioFile']).toHaveLength(783);
      expect(summary['CallerConfAudioFile']).toHaveLength(571);
      expect(summary['AgentUniqueID']).toMatch(/^\d{25}$/);
    }
  });
});

describe('durations', () => {
  it('have every format within one call', () => {
    for (const summary of summariesOf('duration-formats')) {
      const values = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration'].map((key) => summary[key]);

      expect(values).toContain('');
      expect(values).toContainEqual(expect.stringMatching(/^\d\d:\d\d$/));
      expect(values).toContainEqual(expect.stringMatching(/^\d+$/));
      expect(values).toContainEqual({ digits: expect.stringMatching(/^\d+$/) });
    }
  });

  it('of a conference may exceed that of its call', () => {
    for (const summary of summariesOf('long-conference'))
      expect(parseDuration(String(summary['ConfDuration']))).toBeGreaterThan(
        parseDuration(String(summary['CallDuration'])),
      );
  });
});

describe('times', () => {
  it('may have colons in the date', () => {
    for (const summary of summariesOf('time-with-colons'))
      expect(summary['StartTime']).toMatch(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/);
  });

  it('may be the same instant with a zone', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'time-with-zone');

      expect(Date.parse(String(firstOf(posts[0])['EndTime']))).toBe(calls[0]?.endedAt);
      expect(firstOf(posts[0])['StartTime']).toMatch(/T.*Z$/);
    }
  });

  it('may end a call at its start, and before it', () => {
    for (const summary of summariesOf('end-equals-start')) expect(summary['EndTime']).toBe(summary['StartTime']);
    for (const summary of summariesOf('end-before-start'))
      expect(String(summary['EndTime']) < String(summary['StartTime'])).toBe(true);
  });
});

describe('unknown keys', () => {
  it('occur beside the known ones', () => {
    for (const summary of summariesOf('unknown-keys')) {
      for (const key of ['SkillID', 'UCID', 'TotalWrapupTime', 'TotalHandlingTime', 'AnswerTime', 'TalkTime'])
        expect(summary).toHaveProperty(key);
      expect(keysOf(summary, /^Feature\d+$/)).toHaveLength(1);
    }
  });
});

describe('an identifier', () => {
  it('as a bare number has exactly its digits, which no double can hold', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'number-id');
      const id = calls[0]?.id ?? '';

      expect(id).toMatch(/^\d{17}$/);
      expect(String(Number(id))).not.toBe(id);
      for (const post of posts) expect(jsonOf(post)).toContain(`"monitorUCID":${id},`);
    }
  });

  it('may be text of 20 digits', () => {
    for (const seed of seeds) expect(firstOf(callOf(seed, 'long-id').posts[0])['monitorUCID']).toMatch(/^\d{20}$/);
  });

  it('may be a bare number of 20 digits', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'long-number-id');

      expect(firstOf(posts[0])['monitorUCID']).toEqual({ digits: calls[0]?.id });
      expect(calls[0]?.id).toMatch(/^\d{20}$/);
    }
  });

  it('may be text instead of a number, and a number instead of text', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'numbers-as-text');
      expect(posts.flatMap(opened)[0]).toMatchObject({ UCID: calls[0]?.id, CallID: calls[0]?.legId });

      const turned = firstOf(callOf(seed, 'text-as-numbers').posts[0]);
      for (const key of ['CallerID', 'Did', 'AgentPhoneNumber', 'AgentUniqueID'])
        expect(turned[key]).toEqual({ digits: expect.stringMatching(/^[1-9]\d*$/) });
    }
  });
});
