import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  bodyOf,
  isTruncated,
  quarantineEntry,
  quarantineRow,
  unknownSenderBodyBytes,
  unknownSenderEntriesPerMinute,
  unknownSenderMinute,
} from '../../../lib/callback/quarantine.ts';
import { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { digits } from '../../fixtures/calls.ts';

const receivedAt = '2026-11-20T06:00:30.000Z';
const unknownSenderEntry = (body: string, at = receivedAt) =>
  quarantineEntry({ reason: 'broken-json', body, receivedAt: at });
const accountEntry = (body: string, at = receivedAt) =>
  quarantineEntry({ reason: 'broken-json', account: 'demo', body, receivedAt: at });

describe('quarantineEntry', () => {
  it.each([
    ['one byte a character', 'a', 1],
    ['two bytes a character', 'é', 2],
    ['three bytes a character', '€', 3],
    ['four bytes a character', '😀', 4],
    ['escapes', '\u0000', 1],
  ])('truncates an unknown sender’s body of %s to 16 KB, and has its full length', (_title, unit, bytes) => {
    for (const over of [0, 1, 2, 3]) {
      const entry = unknownSenderEntry('x'.repeat(over) + unit.repeat(unknownSenderBodyBytes + 1));

      expect(Buffer.byteLength(entry.body)).toBeLessThanOrEqual(unknownSenderBodyBytes);
      expect(entry.bytes).toBe(over + bytes * (unknownSenderBodyBytes + 1));
      expect(entry.body.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['an unknown sender’s body of exactly 16 KB', unknownSenderEntry('a'.repeat(unknownSenderBodyBytes)), undefined],
    ['one byte more', unknownSenderEntry(`${'a'.repeat(unknownSenderBodyBytes)}a`), unknownSenderBodyBytes + 1],
    ['one byte more in characters', unknownSenderEntry(`${'a'.repeat(unknownSenderBodyBytes - 1)}é`), 16_385],
  ])('shows whether it truncated %s', (_title, entry, bytes) => {
    expect(entry.bytes).toBe(bytes);
    expect(isTruncated(entry)).toBe(bytes !== undefined);
  });

  it.each<[string, string, object]>([
    ['of 380 KB as it is', 'a'.repeat(380 * 1024), {}],
    ['of one byte more compressed', 'a'.repeat(380 * 1024 + 1), { storedAs: 'gzip', bytes: 380 * 1024 + 1 }],
    ['of 4 MB compressed', '{"monitorUCID":"1"},'.repeat(200_000), { storedAs: 'gzip', bytes: 4_000_000 }],
    ['of few control characters as it is', '\u0001'.repeat(149 * 1024), {}],
    // Each is six bytes long in a message of the queue.
    ['of many control characters compressed', '\u0001'.repeat(151 * 1024), { storedAs: 'gzip', bytes: 151 * 1024 }],
  ])('stores an account’s body %s, and whole', (_title, body, stored) => {
    const entry = accountEntry(body);
    const { body: _, ...about } = entry;

    expect(about).toEqual({ reason: 'broken-json', account: 'demo', receivedAt, ...stored });
    expect(bodyOf(entry)).toBe(body);
    expect(isTruncated(entry)).toBe(false);
  });

  it('stores the beginning of a body that does not fit even when it is compressed', () => {
    const body = digits(1_000_000);
    const entry = accountEntry(body);
    const stored = bodyOf(entry);

    expect(entry).toMatchObject({ storedAs: 'gzip', bytes: 1_000_000 });
    expect(isTruncated(entry)).toBe(true);
    expect(body.startsWith(stored)).toBe(true);
    expect(stored.length).toBeGreaterThan(400_000);
  });

  it.each([
    ['plain text', 'a'.repeat(380 * 1024)],
    ['text that is hardly compressed', digits(1_000_000)],
    ['control characters', '\u0001'.repeat(149 * 1024)],
  ])('fits into a row and into a message: %s', (_title, body) => {
    const entry = accountEntry(body);
    const row = quarantineRow({ ...entry, account: 'a'.repeat(255), keyFingerprints: Array(20).fill('c48a01f4') }, 30);
    const bytes = Object.values(row).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);

    expect(bytes + 200).toBeLessThan(400 * 1024);
    expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(1_000_000);
  });
});

describe('quarantineRow', () => {
  it('has the whole entry of an account until it expires', () => {
    expect(quarantineRow(accountEntry('{"a":'), 30)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      reason: 'broken-json',
      account: 'demo',
      body: '{"a":',
      receivedAt,
      expiresAt: Date.parse('2026-12-20T06:00:30.000Z') / 1000,
    });
  });

  it('has the hash of an account’s entry as id, so that a repeated post is one row', () => {
    const { id } = quarantineRow(accountEntry('a'), 30);

    expect(quarantineRow(accountEntry('a', '2026-11-21T00:00:00.000Z'), 30).id).toBe(id);
    expect(quarantineRow(accountEntry('b'), 30).id).not.toBe(id);
    expect(quarantineRow({ ...accountEntry('a'), account: 'other' }, 30).id).not.toBe(id);
    expect(quarantineRow({ ...accountEntry('a'), reason: 'too-deep' }, 30).id).not.toBe(id);
  });

  it('has the same id for a compressed body whatever compressed it', () => {
    const entry = accountEntry('a'.repeat(500_000));
    const otherwise = { ...entry, body: gzipSync('a'.repeat(500_000), { level: 1 }).toString('base64') };

    expect(otherwise.body).not.toBe(entry.body);
    expect(quarantineRow(otherwise, 30).id).toBe(quarantineRow(entry, 30).id);
  });

  it('treats an entry of the secret address as an account’s, though its account is unknown', () => {
    const body = 'a'.repeat(200_000);
    const entry = quarantineEntry({ reason: 'broken-json', viaSecret: true, body, receivedAt });

    expect(quarantineRow(entry, 30)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), body });
  });

  it('has the minute and number of an unknown sender’s entry as id, and stores it for a week', () => {
    expect(quarantineRow(unknownSenderEntry('a'), 30, 7)).toEqual({
      id: 'unknown-sender#2026-11-20T06:00#7',
      reason: 'broken-json',
      body: 'a',
      receivedAt,
      expiresAt: Date.parse('2026-11-27T06:00:30.000Z') / 1000,
    });
  });

  it('stores an unknown sender’s entry for the retention if that is shorter than a week', () => {
    expect(quarantineRow(unknownSenderEntry('a'), 3).expiresAt).toBe(Date.parse('2026-11-23T06:00:30.000Z') / 1000);
  });
});

describe('unknownSenderMinute', () => {
  it('is one row for all posts of a minute, which expires with them', () => {
    expect(unknownSenderMinute(unknownSenderEntry('a'))).toEqual({
      id: 'unknown-sender#2026-11-20T06:00',
      expiresAt: Date.parse('2026-11-27T06:00:30.000Z') / 1000,
    });
    expect(unknownSenderMinute(unknownSenderEntry('b', '2026-11-20T06:01:00.000Z')).id).toBe(
      'unknown-sender#2026-11-20T06:01',
    );
  });

  it('limits what unknown senders store in an hour to 100 MB', () => {
    expect(unknownSenderEntriesPerMinute * 60 * unknownSenderBodyBytes).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('QuarantineEntry', () => {
  it.each([
    ['an unknown sender’s entry', unknownSenderEntry(''), true],
    ['an account’s entry', accountEntry('{'), true],
    ['an entry without a reason', { ...unknownSenderEntry(''), reason: '' }, false],
    ['an entry with a local time', { ...unknownSenderEntry(''), receivedAt: '2026-11-20 06:00:30' }, false],
  ])('for %s is valid: %s', (_title, entry, isValid) => {
    expect(QuarantineEntry.safeParse(entry).success).toBe(isValid);
  });

  it('marks the body as personal data', () => {
    expect(z.globalRegistry.get(QuarantineEntry.shape.body)).toMatchObject({ personal: true });
  });
});
