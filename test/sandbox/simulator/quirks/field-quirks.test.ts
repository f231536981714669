import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../../sandbox/simulator/kinds.ts';
import { secondsOf } from '../../../../sandbox/simulator/summary/local-time.ts';
import { callOf, seeds } from '../support/calls.ts';
import { firstOf, type Opened } from '../support/opened-post.ts';

const summariesOf = (kind: Kind) => seeds.map((seed) => firstOf(callOf(seed, kind).posts[0]));
const plainOf = (seed: number) => firstOf(callOf(seed, 'answered').posts[0]);
const valuesOf = (kind: Kind, key: string) => new Set(summariesOf(kind).map((summary) => summary[key]));
const keysOf = (summary: Opened, spelling: RegExp) => Object.keys(summary).filter((key) => spelling.test(key));

describe('blanks', () => {
  it('come in all their spellings in every call, the key left out among them', () => {
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
  ])('like %s come in every spelling, one in a call', (spelling, spellings) => {
    const found = summariesOf('key-spelling').map((summary) => keysOf(summary, spelling));

    for (const keys of found) expect(keys).toHaveLength(1);
    expect(new Set(found.flat())).toEqual(new Set(spellings));
  });
});

describe('words', () => {
  it('come in other letters', () => {
    expect(valuesOf('word-spelling', 'Type')).toEqual(new Set(['inbound', 'InBound']));
    expect(valuesOf('word-spelling', 'Status')).toEqual(new Set(['answered']));
    expect(valuesOf('word-spelling', 'HangupBy')).toEqual(new Set(['User Hangup', 'Agent Hangup']));
  });

  it('come that are in no list', () => {
    expect(valuesOf('new-words', 'DialStatus')).toEqual(
      new Set([
        'DND',
        'MaxDialTimeExceeded',
        'NoAnswer',
        'Authentication error',
        'NormalUnspecified',
        'QTimeExceeded{60}',
      ]),
    );
    expect(valuesOf('new-words', 'CustomerStatus')).toContain('BlockedNumber');
    expect(valuesOf('new-words', 'HangupBy')).toContain('agent_disconnect');
  });
});

describe('recordings', () => {
  it.each<readonly [Kind, string, RegExp]>([
    ['several-recordings', 'AudioFile', /^https:\S+-1\.mp3,https:\S+-2\.mp3,https:\S+-3\.mp3$/],
    ['repeated-recording', 'AudioFile', /^(https:[^,]+),\1$/],
    ['http-recording', 'AudioFile', /^http:\/\/recordings\.example\.com\//],
    ['conference-recordings', 'CallerConfAudioFile', /^https:\S+-1\.mp3 -> https:\S+-2\.mp3$/],
  ])('of the kind %s look like it', (kind, key, expected) => {
    for (const summary of summariesOf(kind)) expect(summary[key]).toMatch(expected);
  });
});

describe('sizes', () => {
  it('reach what was met in production', () => {
    for (const summary of summariesOf('over-long')) {
      expect(summary['AudioFile']).toHaveLength(783);
      expect(summary['CallerConfAudioFile']).toHaveLength(571);
      expect(summary['AgentUniqueID']).toMatch(/^\d{25}$/);
    }
  });
});

describe('durations', () => {
  it('come in every format within one call', () => {
    for (const summary of summariesOf('duration-formats')) {
      const values = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration'].map((key) => summary[key]);

      expect(values).toContain('');
      expect(values).toContainEqual(expect.stringMatching(/^\d\d:\d\d$/));
      expect(values).toContainEqual(expect.stringMatching(/^\d+$/));
      expect(values).toContainEqual({ digits: expect.stringMatching(/^\d+$/) });
    }
  });

  it('let a conference take longer than its call', () => {
    for (const summary of summariesOf('long-conference'))
      expect(secondsOf(String(summary['ConfDuration']))).toBeGreaterThan(secondsOf(String(summary['CallDuration'])));
  });
});

describe('times', () => {
  it('come with colons between the parts of the date', () => {
    for (const summary of summariesOf('time-with-colons'))
      expect(summary['StartTime']).toMatch(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/);
  });

  it('come as the same instant with a zone', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'time-with-zone');

      expect(Date.parse(String(firstOf(posts[0])['EndTime']))).toBe(calls[0]?.endedAt);
      expect(firstOf(posts[0])['StartTime']).toMatch(/T.*Z$/);
    }
  });

  it('let a call end when it starts, and before', () => {
    for (const summary of summariesOf('end-equals-start')) expect(summary['EndTime']).toBe(summary['StartTime']);
    for (const summary of summariesOf('end-before-start'))
      expect(String(summary['EndTime']) < String(summary['StartTime'])).toBe(true);
  });
});

describe('unknown keys', () => {
  it('come beside the known ones', () => {
    for (const summary of summariesOf('unknown-keys')) {
      for (const key of ['SkillID', 'UCID', 'TotalWrapupTime', 'TotalHandlingTime', 'AnswerTime', 'TalkTime'])
        expect(summary).toHaveProperty(key);
      expect(keysOf(summary, /^Feature\d+$/)).toHaveLength(1);
    }
  });
});
