import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../sandbox/simulator/call-quirks.ts';
import { account, callOf, firstOf, jsonOf, losslessly, opened, seeds } from './support/calls.ts';

const form = 'application/x-www-form-urlencoded';
const postsOf = (kind: Kind) => seeds.flatMap((seed) => callOf(seed, kind).posts);

describe('a summary', () => {
  it('is usually the form field data', () => {
    for (const post of postsOf('answered')) {
      expect(post).toMatchObject({ contentType: form, query: '' });
      expect([...new URLSearchParams(post.body).keys()]).toEqual(['data']);
      expect(firstOf(post)).toMatchObject({ Apikey: account.apiKey, UserName: account.userName });
    }
  });

  it('may be the whole body', () => {
    for (const post of postsOf('json-body')) {
      expect(post.contentType).toBe('application/json');
      expect(losslessly(post.body)).toMatchObject({ Apikey: account.apiKey });
    }
  });

  it('may be in the query', () => {
    for (const post of postsOf('data-in-query')) {
      expect(post.body).toBe('');
      expect(firstOf(post)).toMatchObject({ Apikey: account.apiKey });
    }
  });

  it('may have its key beside it instead of in it', () => {
    for (const post of postsOf('key-beside-data')) {
      expect(new URLSearchParams(post.body).get('Apikey')).toBe(account.apiKey);
      expect(jsonOf(post)).not.toContain(account.apiKey);
    }
  });

  it('may have the code of a tenant in the query', () => {
    for (const post of postsOf('tenant-in-query')) expect(post.query).toBe('tenant=north-12');
  });

  it('may be written on many lines or with escaped slashes, with the same content', () => {
    for (const seed of seeds) {
      const plain = callOf(seed, 'answered').posts.flatMap(opened);
      const pretty = callOf(seed, 'pretty-printed').posts;
      const escaped = callOf(seed, 'escaped-slashes').posts;

      expect(pretty.flatMap(opened)).toEqual(plain);
      expect(escaped.flatMap(opened)).toEqual(plain);
      expect(pretty.map(jsonOf).join()).toContain('{\n  "monitorUCID": "');
      expect(escaped.map(jsonOf).join()).toContain('https:\\/\\/recordings.example.com\\/');
    }
  });
});

describe('a post that is not a summary', () => {
  it.each(['screen-pop', 'call-event', 'agent-event', 'crm-template'] as const)(
    'of the kind %s comes alone when requested',
    (kind) => {
      for (const seed of seeds) {
        const { calls, posts } = callOf(seed, kind);

        expect(calls).toEqual([]);
        expect(posts).toHaveLength(1);
        expect(posts[0]).toMatchObject({ callId: undefined, kinds: [kind], afterSeconds: 0 });
      }
    },
  );

  it('is about a call but has no fields of a summary', () => {
    for (const post of [...postsOf('screen-pop'), ...postsOf('call-event'), ...postsOf('agent-event')]) {
      expect(firstOf(post)).not.toHaveProperty('StartTime');
      expect(firstOf(post)).not.toHaveProperty('monitorUCID');
    }
    for (const post of postsOf('crm-template')) expect(new URLSearchParams(post.body).has('data')).toBe(false);
  });

  it('has no key if it is an event of a subscription', () => {
    for (const post of postsOf('call-event')) expect(post.body).not.toContain(account.apiKey);
  });
});

describe('a call posted in two versions', () => {
  it.each([
    ['late-disposition', ''],
    ['wrap-up-exceeded', 'Wrap up time exceeded :120'],
  ] as const)('of the kind %s gets the disposition of its agent 20 to 40 s later', (kind, before) => {
    for (const seed of seeds) {
      const { posts } = callOf(seed, kind);
      const [first, later] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(posts[1]?.afterSeconds).toBeGreaterThanOrEqual(20);
      expect(posts[1]?.afterSeconds).toBeLessThanOrEqual(40);
      expect(first?.['Disposition']).toBe(before);
      expect(later?.['Disposition']).toMatch(/^[A-Z][a-z]/);
      expect(later?.['Disposition']).not.toBe(before);
      expect(later?.['monitorUCID']).toBe(first?.['monitorUCID']);
    }
  });

  it('of the kind less-complete-later loses its answer, recording and disposition', () => {
    for (const seed of seeds) {
      const { posts } = callOf(seed, 'less-complete-later');
      const [first, later] = posts.map(firstOf);

      expect(first).toMatchObject({ Status: 'Answered', AudioFile: expect.stringContaining('https:') });
      expect(later).toMatchObject({ Status: 'NotAnswered', AudioFile: '', Disposition: '' });
      expect(later?.['monitorUCID']).toBe(first?.['monitorUCID']);
      expect(posts[1]?.afterSeconds).toBeGreaterThan(0);
    }
  });
});

describe('a body sent again', () => {
  it('is identical byte for byte, one to three times, later', () => {
    const counts = seeds.map((seed) => {
      const [first, ...copies] = callOf(seed, 'redelivery').posts;

      for (const copy of copies) {
        expect(copy.body).toBe(first?.body);
        expect(copy.afterSeconds).toBeGreaterThan(0);
      }
      return copies.length;
    });

    expect(new Set(counts)).toEqual(new Set([1, 2, 3]));
  });

  it('may come at the same moment', () => {
    for (const seed of seeds) {
      const [first, second, ...others] = callOf(seed, 'twice-at-once').posts;

      expect(second).toEqual(first);
      expect(second?.afterSeconds).toBe(0);
      expect(others).toEqual([]);
    }
  });
});

const summariesOf = (kind: Kind) => seeds.map((seed) => firstOf(callOf(seed, kind).posts[0]));

describe('a call', () => {
  it.each<readonly [Kind, Readonly<Record<string, unknown>>]>([
    ['not-answered', { Status: 'NotAnswered', Duration: '00:00:00', TimeToAnswer: '', AudioFile: '' }],
    ['abandoned', { Status: 'NotAnswered', AgentID: '', AgentName: '', AgentUniqueID: '', AudioFile: '' }],
    ['voice-mail', { Status: 'NotAnswered', AgentID: '', AudioFile: expect.stringContaining('https:') }],
    ['ivr', { Status: 'Answered', Type: 'IVR', AgentID: '', AudioFile: '' }],
    ['chat', { Status: 'Answered', AudioFile: '' }],
    ['phone-transfer', { TransferType: 'Phone Number', TransferredTo: expect.stringMatching(/^447700900/) }],
    ['conference', { CallerConfAudioFile: expect.stringContaining('https:') }],
    ['outbound', { Status: 'Answered', AgentID: expect.stringMatching(/./) }],
  ])('of the kind %s has the fields of its kind', (kind, expected) => {
    for (const summary of summariesOf(kind)) expect(summary).toMatchObject(expected);
  });
});

describe('an agent transfer', () => {
  const calls = seeds.map((seed) => {
    const { calls: placed, posts } = callOf(seed, 'agent-transfer');
    return { agents: placed[0]?.engagements.map(({ agent }) => agent) ?? [], summary: firstOf(posts[0]) };
  });
  const linksOf = (value: unknown) => String(value).split(' -> ');

  it('is one record with ids sorted as text and unique ids sorted as numbers', () => {
    for (const { agents, summary } of calls) {
      expect(linksOf(summary['AgentID'])).toEqual(agents.map(({ id }) => id).sort());
      expect(linksOf(summary['AgentUniqueID']).map(Number)).toEqual(
        agents.map(({ uniqueId }) => Number(uniqueId)).sort((one, other) => one - other),
      );
    }
  });
});

describe('a skill transfer', () => {
  it('is a second call that names the first one in its user text and begins when that one ends', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'skill-transfer');
      const [first, second] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(posts[1]?.afterSeconds).toBeGreaterThan(0);
      expect(first).toMatchObject({ TransferType: 'Skill', TransferredTo: second?.['Skill'], UUI: '' });
      expect(second?.['UUI']).toBe(`SkillTransfer-${first?.['monitorUCID']}~${first?.['AgentID']}`);
      expect(second).toMatchObject({ StartTime: first?.['EndTime'], CallerID: first?.['CallerID'] });
      expect(calls[1]?.startedAt).toBe(calls[0]?.endedAt);
    }
  });
});
