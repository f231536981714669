import { describe, expect, it } from 'vitest';
import {
  afterFloor,
  agentKey,
  feedChangesKey,
  feedKey,
  floorKey,
  floorPartKey,
  floorsKey,
  stateKey,
  timelineKey,
  tokenKey,
} from '../../../lib/floor/keys.ts';

const at = '2026-11-20T06:00:00.000Z';

describe('the keys of the agents’ table', () => {
  it.each([
    ['an agent', agentKey('demo', 'asha'), { pk: 'demo', sk: 'agent#asha' }],
    ['the feed', feedKey('demo'), { pk: 'demo', sk: 'feed' }],
    ['a part of a kept floor', floorPartKey('demo', at, 7), { pk: 'demo#floor', sk: `${at}#007` }],
    ['the token', tokenKey('demo'), { pk: 'demo#token', sk: 'token' }],
  ])('name %s', (_title, key, expected) => {
    expect(key).toEqual(expected);
  });

  it.each([
    ['the floor as it is now', floorKey('demo'), 'demo'],
    ['an agent’s timeline', timelineKey('demo', 'asha'), 'demo#agent#asha'],
    ['floors of the past', floorsKey('demo'), 'demo#floor'],
    ['what became of the feed', feedChangesKey('demo'), 'demo#feed'],
    ['the agents in a state', stateKey('demo', 'in-call'), 'demo#in-call'],
  ])('name %s', (_title, key, expected) => {
    expect(key).toBe(expected);
  });

  it('sort the feed after every agent', () => {
    for (const id of ['0', 'zzz', '~', '漢', '😀', 'feed'])
      expect(agentKey('demo', id).sk < feedKey('demo').sk).toBe(true);
  });

  it('sort the parts of a floor by number, before what comes after it, and floors by time', () => {
    const keys = [
      floorPartKey('demo', at, 0).sk,
      floorPartKey('demo', at, 2).sk,
      floorPartKey('demo', at, 10).sk,
      floorPartKey('demo', at, 999).sk,
      afterFloor(at),
      floorPartKey('demo', '2026-11-20T06:00:00.001Z', 0).sk,
      afterFloor('2026-11-20T06:00:15.000Z'),
      '~',
    ];

    expect(keys.toSorted()).toEqual(keys);
  });

  it('keep accounts and agents apart, whatever they are called', () => {
    const accounts = ['demo', 'Demo', 'demo#floor', 'demo#agent#asha', 'demo%23floor', 'a b', 'é'];
    const keys = accounts.flatMap((account) => [
      floorKey(account),
      floorsKey(account),
      feedChangesKey(account),
      tokenKey(account).pk,
      timelineKey(account, 'asha'),
      timelineKey(account, 'a#sha'),
    ]);

    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keep digits and letters as they are', () => {
    expect(agentKey('demo', '98765432109876543210')).toEqual({ pk: 'demo', sk: 'agent#98765432109876543210' });
    expect(agentKey('a#b', 'c d')).toEqual({ pk: 'a%23b', sk: 'agent#c%20d' });
  });
});
