import { describe, expect, it } from 'vitest';
import { keyMask } from '../../../lib/callback/mask-keys.ts';
import { scrubbed } from '../../../lib/callback/scrubbed.ts';
import type { JsonObject } from '../../../lib/json/parse-json.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';

const clean = (record: JsonObject) => Object.fromEntries(scrubbed(record, keyMask([sentinelKey])));

describe('scrubbed', () => {
  it('leaves the key’s own field out, and all else as it is', () => {
    expect(
      clean({ ApiKey: sentinelKey, apikey: 'x', Status: 'Answered', UUI: null, more: ['1', { a: true }] }),
    ).toEqual({
      Status: 'Answered',
      UUI: null,
      more: ['1', { a: true }],
    });
  });

  it.each([
    ['a text', { Comments: `key ${sentinelKey}` }, { Comments: 'key ***' }],
    ['a list', { a: ['x', sentinelKey, null] }, { a: ['x', '***', null] }],
    ['an object', { a: { b: { c: sentinelKey, d: false } } }, { a: { b: { c: '***', d: false } } }],
    ['a key of an object', { [sentinelKey]: '1', a: { [sentinelKey]: '2' } }, { '***': '1', a: { '***': '2' } }],
    [
      'names that then are one',
      { [sentinelKey]: '1', '***': '2', a: { [sentinelKey]: '3', '***': '4' } },
      { '***': '1', '*** (2)': '2', a: { '***': '3', '*** (2)': '4' } },
    ],
  ])('masks a key that strayed into %s', (_title, record, expected) => {
    expect(clean(record as never)).toEqual(expected);
  });

  it('masks every value of a key’s field deeper down, whosever it is', () => {
    expect(clean({ a: [{ ApiKey: { v: 'stranger' }, b: '1' }] })).toEqual({ a: [{ ApiKey: '***', b: '1' }] });
  });
});
