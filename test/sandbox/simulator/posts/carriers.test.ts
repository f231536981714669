import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../../sandbox/simulator/kinds.ts';
import { account, callOf, seeds } from '../support/calls.ts';
import { firstOf, jsonOf, losslessly, opened } from '../support/opened-post.ts';

const form = 'application/x-www-form-urlencoded';
const postsOf = (kind: Kind) => seeds.flatMap((seed) => callOf(seed, kind).posts);

describe('a summary', () => {
  it('travels in the form field data as a rule', () => {
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

  it('may travel in the query', () => {
    for (const post of postsOf('data-in-query')) {
      expect(post.body).toBe('');
      expect(firstOf(post)).toMatchObject({ Apikey: account.apiKey });
    }
  });

  it('may have its key beside it, and then not in it', () => {
    for (const post of postsOf('key-beside-data')) {
      expect(new URLSearchParams(post.body).get('Apikey')).toBe(account.apiKey);
      expect(jsonOf(post)).not.toContain(account.apiKey);
    }
  });

  it('may come with the code of a tenant', () => {
    for (const post of postsOf('tenant-in-query')) expect(post.query).toBe('tenant=north-12');
  });

  it('may be written over many lines, or with escaped slashes, and means the same', () => {
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
    'like %s comes alone when asked for',
    (kind) => {
      for (const seed of seeds) {
        const { calls, posts } = callOf(seed, kind);

        expect(calls).toEqual([]);
        expect(posts).toHaveLength(1);
        expect(posts[0]).toMatchObject({ callId: undefined, kinds: [kind], afterSeconds: 0 });
      }
    },
  );

  it('speaks of a call without being one', () => {
    for (const post of [...postsOf('screen-pop'), ...postsOf('call-event'), ...postsOf('agent-event')]) {
      expect(firstOf(post)).not.toHaveProperty('StartTime');
      expect(firstOf(post)).not.toHaveProperty('monitorUCID');
    }
    for (const post of postsOf('crm-template')) expect(new URLSearchParams(post.body).has('data')).toBe(false);
  });

  it('is as little trusted as the service makes it: an event of a subscription has no key', () => {
    for (const post of postsOf('call-event')) expect(post.body).not.toContain(account.apiKey);
  });
});
