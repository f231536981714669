import { describe, expect, it } from 'vitest';
import { people } from '../../../bench/guarantees/posts.ts';
import { secrecyOf } from '../../../bench/guarantees/secrecy.ts';
import { peerAccount } from '../../../bench/peers/peer.ts';

const clean = { kept: ['{"id":"1"}'], told: '{"id":"1"}', log: 'Calls stored', reply: '{"stored":1}' };

const found = ({ kept, told, log, reply }: typeof clean) =>
  secrecyOf({ told: () => [told], log: () => log, replies: () => [reply] }, kept).map(({ finding }) => finding);

describe('what must stay inside', () => {
  it('stays there where nothing of it is found', () => {
    expect(found(clean)).toEqual([
      { isKept: true, seen: 'nowhere' },
      { isKept: true, seen: 'nowhere' },
    ]);
  });

  it.each([
    ['a row', { kept: [`{"Apikey":"${peerAccount.key}"}`] }, 'in: row'],
    ['an event', { told: `{"Apikey":"${peerAccount.key}"}` }, 'in: event'],
    ['the log', { log: `refused ${peerAccount.key}` }, 'in: log'],
    ['a reply', { reply: peerAccount.key }, 'in: reply'],
  ])('is out with the key in %s', (_, leak, seen) => {
    expect(found({ ...clean, ...leak })).toEqual([
      { isKept: false, seen },
      { isKept: true, seen: 'nowhere' },
    ]);
  });

  it.each(Object.entries(people))('is out with the %s in the log', (name, text) => {
    expect(found({ ...clean, log: `Call of ${text}` })[1]).toEqual({ isKept: false, seen: `in: ${name}` });
  });

  it.each([
    ['rows', { kept: [] }],
    ['events', { told: '' }],
    ['a log', { log: '' }],
    ['replies', { reply: '' }],
  ])('is not proven without %s', (_, nothing) => {
    expect(found({ ...clean, ...nothing }).map(({ isKept }) => isKept)).toEqual([false, false]);
  });
});
