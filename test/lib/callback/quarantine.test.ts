import { describe, expect, it } from 'vitest';
import { QuarantineEntry } from '../../../lib/callback/parked.ts';
import {
  quarantineEntry,
  quarantineRow,
  unknownSenderBodyBytes,
  unknownSenderEntriesPerMinute,
  unknownSenderMinute,
} from '../../../lib/callback/quarantine.ts';

const receivedAt = '2026-11-20T06:00:30.000Z';
const stranger = (body: string, at = receivedAt) => quarantineEntry({ reason: 'broken-json', body, receivedAt: at });
const accounts = (body: string, at = receivedAt) =>
  quarantineEntry({ reason: 'broken-json', account: 'demo', body, receivedAt: at });

describe('quarantineRow', () => {
  it('keeps an account’s entry whole, until it expires', () => {
    expect(quarantineRow(accounts('{"a":'), 30)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      reason: 'broken-json',
      account: 'demo',
      body: '{"a":',
      receivedAt,
      expiresAt: Date.parse('2026-12-20T06:00:30.000Z') / 1000,
    });
  });

  it('names an account’s entry by its content, so that a repeated post is one row', () => {
    const { id } = quarantineRow(accounts('a'), 30);

    expect(quarantineRow(accounts('a', '2026-11-21T00:00:00.000Z'), 30).id).toBe(id);
    expect(quarantineRow(accounts('b'), 30).id).not.toBe(id);
    expect(quarantineRow({ ...accounts('a'), account: 'other' }, 30).id).not.toBe(id);
    expect(quarantineRow({ ...accounts('a'), reason: 'too-deep' }, 30).id).not.toBe(id);
  });

  it('keeps an entry of the secret address as an account’s, though its account is not known', () => {
    const body = 'a'.repeat(200_000);
    const entry = quarantineEntry({ reason: 'broken-json', viaSecret: true, body, receivedAt });

    expect(quarantineRow(entry, 30)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), body });
  });

  it('names a stranger’s entry by its minute and its number in it', () => {
    expect(quarantineRow(stranger('a'), 30, 7)).toEqual({
      id: 'unknown-sender#2026-11-20T06:00#7',
      reason: 'broken-json',
      body: 'a',
      receivedAt,
      expiresAt: expect.any(Number),
    });
  });

  it.each([
    ['one byte a character', 'a', 1],
    ['two bytes a character', 'é', 2],
    ['three bytes a character', '€', 3],
    ['four bytes a character', '😀', 4],
    ['escapes', '\u0000', 1],
  ])('keeps at most 16 KB of a stranger’s body of %s, and says how much there was', (_title, unit, bytes) => {
    for (const over of [0, 1, 2, 3]) {
      const body = 'x'.repeat(over) + unit.repeat(unknownSenderBodyBytes + 1);
      const row = quarantineRow(stranger(body), 30);

      expect(Buffer.byteLength(row.body)).toBeLessThanOrEqual(unknownSenderBodyBytes);
      expect(row).toMatchObject({ bytes: over + bytes * (unknownSenderBodyBytes + 1) });
      expect(row.body.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['of one byte', 'a'],
    ['of two bytes', 'é'],
  ])('says of a body that is cut by one character %s that it was cut', (_title, last) => {
    const row = quarantineRow(stranger('a'.repeat(unknownSenderBodyBytes + 1 - Buffer.byteLength(last)) + last), 30);

    expect(row).toMatchObject({ bytes: unknownSenderBodyBytes + 1 });
  });

  it('keeps a stranger’s body of exactly 16 KB whole', () => {
    expect(quarantineRow(stranger('a'.repeat(unknownSenderBodyBytes)), 30)).not.toHaveProperty('bytes');
  });

  it('keeps the largest body that an account may post whole, and what a row cannot hold in part', () => {
    expect(quarantineRow(accounts('a'.repeat(256 * 1024)), 30)).not.toHaveProperty('bytes');
    expect(quarantineRow(accounts('a'.repeat(500 * 1024)), 30)).toMatchObject({ bytes: 500 * 1024 });
    expect(Buffer.byteLength(JSON.stringify(quarantineRow(accounts('a'.repeat(500 * 1024)), 30)))).toBeLessThan(
      400_000,
    );
  });
});

describe('quarantineEntry', () => {
  it('fits into a message of the parking queue, in which a control character is six bytes long', () => {
    const entry = accounts('\u0001'.repeat(256 * 1024));

    expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(1_000_000);
    expect(entry).toMatchObject({ bytes: 256 * 1024 });
  });

  it('keeps what strangers left for a week at most', () => {
    const inDays = (row: { expiresAt: number }) => (row.expiresAt - Date.parse(receivedAt) / 1000) / 86_400;

    expect([30, 3].map((days) => inDays(quarantineRow(stranger('a'), days)))).toEqual([7, 3]);
  });
});

describe('strangersMinute', () => {
  it('is the same row for a minute’s posts, gone when they are', () => {
    expect(unknownSenderMinute(stranger('a'))).toEqual({
      id: 'unknown-sender#2026-11-20T06:00',
      expiresAt: Date.parse('2026-11-27T06:00:30.000Z') / 1000,
    });
    expect(unknownSenderMinute(stranger('b', '2026-11-20T06:01:00.000Z')).id).toBe('unknown-sender#2026-11-20T06:01');
  });

  it('is bounded: what strangers leave in an hour fits into 100 MB', () => {
    expect(unknownSenderEntriesPerMinute * 60 * unknownSenderBodyBytes).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('QuarantineEntry', () => {
  it.each([
    ['a stranger’s', stranger('')],
    ['an account’s', accounts('{')],
  ])('takes %s', (_title, entry) => {
    expect(QuarantineEntry.parse(entry)).toEqual(entry);
  });

  it('says that a body may identify people', () => {
    expect(QuarantineEntry.shape.body.meta()).toMatchObject({ personal: true });
  });

  it.each([
    ['without a reason', { ...stranger(''), reason: '' }],
    ['with a local time', { ...stranger(''), receivedAt: '2026-11-20 06:00:30' }],
  ])('refuses one %s', (_title, entry) => {
    expect(QuarantineEntry.safeParse(entry).success).toBe(false);
  });
});
