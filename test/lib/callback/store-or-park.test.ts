import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { accountOfEntry } from '../../../cli/quarantine/redrive-quarantined.ts';
import { quarantinedSender, redactPost } from '../../../functions/receive-callback/receive-callback.ts';
import { accountIndex, keyFingerprint } from '../../../lib/accounts/account-index.ts';
import type { SenderCredentials } from '../../../lib/callback/authenticate-sender.ts';
import { parkedIn, QuarantineEntry, type StorableItem } from '../../../lib/callback/schema.ts';
import {
  bodyOf,
  isTruncated,
  type ParkingQueue,
  parkedText,
  quarantineEntry,
  quarantineRow,
  storeOrPark,
} from '../../../lib/callback/store-or-park.ts';
import type { CallStore } from '../../../lib/calls/record-delivery.ts';
import { fail } from '../../../lib/core/result.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { digits, specificationParticipant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { generousDeadline, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';
import { callKey, normalisedRecords } from '../../support/posted-records.ts';

const receivedAt = '2026-11-20T06:00:30.000Z';
const accountEntry = (body: string, at = receivedAt) =>
  quarantineEntry({ reason: 'broken-json', account: 'demo', body, receivedAt: at });

describe('quarantineEntry', () => {
  it.each<[string, string, object]>([
    ['of 380 KB as it is', 'a'.repeat(380 * 1024), {}],
    ['of one byte more compressed', 'a'.repeat(380 * 1024 + 1), { storedAs: 'gzip', bytes: 380 * 1024 + 1 }],
    ['of two bytes a character compressed', 'é'.repeat(190 * 1024 + 1), { storedAs: 'gzip', bytes: 380 * 1024 + 2 }],
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
});

describe('QuarantineEntry', () => {
  it.each([
    ['an account’s entry', accountEntry('{'), true],
    ['an entry without a reason', { ...accountEntry('{'), reason: '' }, false],
    ['an entry with a local time', { ...accountEntry('{'), receivedAt: '2026-11-20 06:00:30' }, false],
  ])('for %s is valid: %s', (_title, entry, isValid) => {
    expect(QuarantineEntry.safeParse(entry).success).toBe(isValid);
  });

  it('marks the body as personal data', () => {
    expect(z.globalRegistry.get(QuarantineEntry.shape.body)).toMatchObject({ personal: true });
  });
});

const accounts = accountIndex([demoAccount, otherAccount] as never);
const single = accountIndex([demoAccount] as never);

const credentialsWith = (part: Partial<SenderCredentials>): SenderCredentials => ({
  keys: [],
  users: [],
  hasValidSecret: false,
  ...part,
});

/** The fingerprints of a live key of each account and of a key that neither has. */
const [ofDemo, ofOther, ofNew] = ['demo-key', 'other-key', 'new-key-77'].map(keyFingerprint) as [
  string,
  string,
  string,
];

describe('quarantinedSender', () => {
  const viaSecret = true;
  const secret = { hasValidSecret: true };
  const newKey = { keys: ['new-key-77'] };

  it.each<[string, Partial<SenderCredentials>, object, typeof accounts?]>([
    ['a live key', { keys: ['demo-key'] }, { account: 'demo' }],
    ['two live keys of an account', { keys: ['demo-key', sentinelKey] }, { account: 'demo' }],
    ['unknown, then live', { keys: ['new-key-77', 'demo-key'] }, { account: 'demo', keyFingerprints: [ofNew, ofDemo] }],
    ['of two', { keys: ['other-key', 'demo-key'] }, { account: 'other', keyFingerprints: [ofOther, ofDemo] }],
    ['an unknown key at the address', { keys: ['new-key-77'], ...secret }, { viaSecret, keyFingerprints: [ofNew] }],
    ['a live key at the secret address', { keys: ['demo-key'], ...secret }, { account: 'demo' }],
    ['a user name at the secret address', { users: ['nobody'], ...secret }, { viaSecret }],
    ['nothing at the secret address of several accounts', secret, { viaSecret }],
    ['nothing at that of a single account', secret, { account: 'demo' }, single],
    ['another user name at that', { users: ['nobody'], ...secret }, { viaSecret }, single],
    ['an unknown key at that', { ...newKey, ...secret }, { viaSecret, keyFingerprints: [ofNew] }, single],
    ['one and a user name', { ...newKey, users: ['demo'], ...secret }, { viaSecret, keyFingerprints: [ofNew] }, single],
  ])('of a post with %s', (_title, part, sender, among = accounts) => {
    expect(quarantinedSender(among, credentialsWith(part))).toEqual({ account: undefined, ...sender });
  });

  it('has at most 20 fingerprints', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `new-key-${index}`);

    expect(quarantinedSender(accounts, credentialsWith({ keys, ...secret })).keyFingerprints).toEqual(
      keys.slice(0, 20).map(keyFingerprint),
    );
  });
});

describe('redactPost', () => {
  it.each([
    ['unknown', 'new-key-77', '***'],
    ['as long as one can be', 'k1'.repeat(125), '***'],
    ['too long to be one', 'k1'.repeat(126)],
    ['a word', 'Answered'],
    ['a number', '09000000042'],
  ])(
    'redacts a known sender’s key wherever it is, or in its field only: one that is %s',
    (_title, key, elsewhere = key) => {
      const credentials = credentialsWith({ keys: [key], hasValidSecret: true });
      const text = `{"Apikey":"${key}","Comments":"see ${key} and demo-key"}`;

      expect(redactPost(accounts, credentials, text)).toBe(`{"Apikey":"***","Comments":"see ${elsewhere} and ***"}`);
    },
  );
});

describe('accountOfEntry', () => {
  const ownerOf = (part: Partial<QuarantineEntry>, users: readonly string[] = [], given?: string, among = accounts) => {
    const entry = { reason: 'unknown-key', body: '', receivedAt: '', account: undefined, ...part };
    const result = accountOfEntry(among, entry, users, given);
    return result.ok ? result.value.userName : result.problem;
  };
  const viaSecret = true as const;
  const unknown = { viaSecret, keyFingerprints: [ofNew] };

  it.each<[string, string, Partial<QuarantineEntry>, (readonly string[])?, string?, typeof accounts?]>([
    ['the authenticated one', 'demo', { account: 'demo' }],
    ['the authenticated one, if an operator names it too', 'demo', { account: 'demo' }, [], 'DEMO'],
    ['that of its key, once that is live', 'demo', { viaSecret, keyFingerprints: [ofDemo] }],
    ['that of all its keys', 'demo', { viaSecret, keyFingerprints: [ofDemo, keyFingerprint(sentinelKey)] }],
    ['that of all its keys, which were of two', 'demo', { reason: 'mixed-accounts', keyFingerprints: [ofDemo] }],
    ['that of its user name at the secret address', 'other', { viaSecret }, ['OTHER']],
    ['an operator’s, for an unknown key', 'other', unknown, [], 'other'],
    ['an operator’s, for an unknown sender', 'demo', {}, [], 'demo'],
    ['an operator’s, if the authenticated one exists no more', 'demo', { account: 'former' }, [], 'demo'],
    ['the only one, of nobody at the secret address', 'demo', { viaSecret }, [], undefined, single],
    // Why it is not known.
    ['nobody at all', 'account-not-named', {}, [], undefined, single],
    ['an unknown key, whatever the user name', 'unknown-key', unknown, ['demo']],
    ['an unknown key beside a live one', 'unknown-key', { account: 'demo', keyFingerprints: [ofDemo, ofNew] }],
    ['keys of two accounts', 'mixed-accounts', { account: 'demo', keyFingerprints: [ofDemo, ofOther] }, [], 'demo'],
    ['mixed ones without fingerprints', 'mixed-accounts', { account: 'demo', reason: 'mixed-accounts' }, [], 'demo'],
    ['an account that exists no more', 'unknown-account', { account: 'former' }],
    ['an operator’s account that does not exist', 'unknown-account', unknown, [], 'nobody'],
    ['another account than the operator’s', 'account-mismatch', { account: 'demo' }, [], 'other'],
    ['the key of another account than the operator’s', 'account-mismatch', { keyFingerprints: [ofDemo] }, [], 'other'],
    ['an unknown user name at the secret address', 'account-not-named', { viaSecret }, ['nobody']],
    ['a user name from an unknown sender', 'account-not-named', {}, ['demo']],
  ])('is, or is not known: %s', (_title, owner, part, users, given, among = accounts) => {
    expect(ownerOf(part, users, given, among)).toBe(owner);
  });
});

const deliveryOf = (callId: string, id = callId, at = receivedAt): StorableItem => ({
  kind: 'delivery',
  key: { ...callKey, callId },
  delivery: { id, receivedAt: at, facts: {}, asSent: '' },
});

const callIdOf = (item: StorableItem) => (item.kind === 'delivery' ? item.key.callId : '');

/** As many records as a post may have. */
const fullPost = (at = receivedAt) =>
  Array.from({ length: 500 }, (_, index) => deliveryOf(String(index), undefined, at));

interface Around {
  readonly record: CallStore['record'];
  readonly deadline?: (mostMs?: number) => AbortSignal;
  readonly timeLeft?: () => number;
  readonly park?: ParkingQueue['park'];
}

const storeWith = async (items: readonly StorableItem[], around: Around) => {
  const { record, deadline = generousDeadline, timeLeft = () => 60_000, park = async () => undefined } = around;
  const parked: StorableItem[] = [];
  const withinMs: number[] = [];
  const telemetry = recordingTelemetry();
  const parking: ParkingQueue = {
    reservedMs: 3_000,
    async park(some, within) {
      withinMs.push(within);
      await park(some, within);
      parked.push(...some);
    },
  };
  const ports = { calls: { record }, quarantine: { store: unavailable }, parking, deadline, telemetry };
  const result = await storeOrPark(ports, items, timeLeft);
  return { result, parked: parked.map(callIdOf), withinMs, telemetry };
};

/** Resolves when others had their turn. */
const answered = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A table that needs `stepMs` for each record, as many as are in flight, by a clock of its own. It notes what it stores. */
const slowTable = (stepMs: number) => {
  let nowMs = 0;
  const stored: string[] = [];
  const record: CallStore['record'] = async ({ callId }) => {
    await answered();
    nowMs += stepMs;
    stored.push(callId);
    return 'stored';
  };
  return { stored, record, timeLeft: (ms: number) => () => ms - nowMs };
};

describe('the records of a post', () => {
  it('are stored 32 at a time, each with a limit of its own, but the deliveries of one record in turn', async () => {
    const running: string[] = [];
    const max = { perCall: 0, total: 0 };
    const record: CallStore['record'] = async ({ callId }) => {
      running.push(callId);
      max.total = Math.max(max.total, running.length);
      max.perCall = Math.max(max.perCall, running.filter((id) => id === callId).length);
      await answered();
      running.splice(running.indexOf(callId), 1);
      return 'stored';
    };
    const deadline = vi.fn(generousDeadline);
    const items = [deliveryOf('1', 'a'), deliveryOf('1', 'b'), ...fullPost().slice(2)];
    const { result, parked } = await storeWith(items, { record, deadline });

    expect(max).toEqual({ perCall: 1, total: 32 });
    expect(deadline).toHaveBeenCalledTimes(items.length);
    expect([result, parked]).toEqual([{ ok: true, value: items.map(() => 'stored') }, []]);
  });

  it.each(['2026-11-20T06:00:30.000Z', '2026-11-20T06:00:30.001Z'])(
    'begin in the order of the post, whenever it comes, if it has no more than that: a call before its participants (%s)',
    async (at) => {
      const { record, stored } = slowTable(1);
      await storeWith([deliveryOf('call', undefined, at), deliveryOf('participant', undefined, at)], { record });

      expect(stored).toEqual(['call', 'participant']);
    },
  );

  it('are parked where the time is over, within what is left of it: each is stored or parked, and none is both', async () => {
    const { record, stored, timeLeft } = slowTable(20);
    const limits: (number | undefined)[] = [];
    const deadline = (mostMs?: number) => {
      limits.push(mostMs);
      return generousDeadline();
    };
    const { result, parked, withinMs } = await storeWith(fullPost(), { record, deadline, timeLeft: timeLeft(8_000) });

    // Eight times 32: the ninth would begin after 5.12 s.
    expect(stored.length).toBe(256);
    expect(limits).toHaveLength(stored.length);
    expect([limits[0], limits.at(-1)]).toEqual([5_000, 520]);
    expect(withinMs).toEqual([8_000 - 20 * stored.length]);
    expect([...stored, ...parked].toSorted()).toEqual(fullPost().map(callIdOf).toSorted());
    const outcomes = fullPost().map((item) => (stored.includes(callIdOf(item)) ? 'stored' : 'parked'));
    expect(result).toEqual({ ok: true, value: outcomes });
  });

  it('are parked without a try when no time is left but for parking, and refused when there is none at all', async () => {
    const record = vi.fn<CallStore['record']>();
    for (const left of [3_000, -5]) {
      const { withinMs, parked } = await storeWith([deliveryOf('1')], { record, timeLeft: () => left });
      expect([withinMs, parked]).toEqual([[Math.max(0, left)], ['1']]);
    }
    expect(record).not.toHaveBeenCalled();
  });

  it('are parked after a write that failed if they had not begun, because the table is probably down', async () => {
    const record = vi.fn<CallStore['record']>(async ({ callId }) => (callId === '40' ? unavailable() : 'stored'));
    const { result, parked, telemetry } = await storeWith(fullPost(), { record });

    expect(record).toHaveBeenCalledTimes(64);
    expect(parked).toEqual(['40', ...fullPost().slice(64).map(callIdOf)]);
    expect(result).toMatchObject({ ok: true });
    expect(telemetry.places()).toEqual(['call-store']);
  });

  it('are stored while quarantine fails, and what belongs there is parked', async () => {
    const record = vi.fn<CallStore['record']>(async () => 'stored');
    const items: StorableItem[] = [{ kind: 'quarantine', entry: accountEntry('{') }, ...fullPost().slice(1)];
    const { result, parked } = await storeWith(items, { record });

    expect([record.mock.calls.length, parked]).toEqual([499, ['']]);
    expect(result).toEqual({
      ok: true,
      value: [
        'parked',
        ...fullPost()
          .slice(1)
          .map(() => 'stored'),
      ],
    });
  });

  it('are refused where what is left cannot be parked, and a repeat does not begin with what the first try stored', async () => {
    const tries = ['2026-11-20T06:00:30.000Z', '2026-11-20T06:00:42.250Z'].map(async (at) => {
      const { record, stored, timeLeft } = slowTable(20);
      const tried = await storeWith(fullPost(at), { record, timeLeft: timeLeft(8_000), park: unavailable });
      expect(tried).toMatchObject({ result: fail('stores-unavailable'), parked: [] });
      expect(tried.telemetry.places()).toEqual(['parking']);
      return stored;
    });
    const [first = [], second = []] = await Promise.all(tries);

    expect([first.length, second.length]).toEqual([256, 256]);
    expect(new Set([...first, ...second]).size).toBe(500);
  });
});

describe('StorableItem', () => {
  const [call, participant] = normalisedRecords([summary, specificationParticipant]).deliveries;
  const ofList = { ...participant?.delivery, posting: { keysAt: [1] } };

  const entry = { reason: 'data-empty', body: '', receivedAt };

  it.each([
    ['a call', { kind: 'delivery', ...call }, true],
    ['a participant of a list', { kind: 'delivery', ...participant, delivery: ofList }, true],
    ['a quarantine entry', { kind: 'quarantine', entry: { ...entry, reason: 'broken-json', body: '{' } }, true],
    ['one that came to the secret address', { kind: 'quarantine', entry: { ...entry, viaSecret: true } }, true],
    ['one that did not, and says so', { kind: 'quarantine', entry: { ...entry, viaSecret: false } }, false],
    ['another kind', { kind: 'other' }, false],
    ['a delivery without a key', { kind: 'delivery', delivery: call?.delivery }, false],
    ['a text', 'x', false],
  ])('takes %s through the queue unchanged, or rejects it', (_title, parked, isTaken) => {
    expect(parkedIn(parkedText(parked as never))).toEqual(isTaken ? parked : undefined);
  });
});
