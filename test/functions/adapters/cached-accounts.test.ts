import { describe, expect, it } from 'vitest';
import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';

const jsonOf = (key: string) => JSON.stringify([{ userName: 'demo', apiKeys: [key] }]);

/** Accounts whose secret and clock the test sets, and that count how often the secret is read. */
const setUp = () => {
  const world = { json: jsonOf('old'), nowMs: 0, reads: 0, lines: [] as string[] };
  const accounts = cachedAccounts(
    async () => {
      world.reads++;
      if (world.json === 'down') throw new Error('the secret is sentinel-value');
      return world.json;
    },
    { clock: () => new Date(world.nowMs), telemetry: jsonTelemetry('test', (line) => world.lines.push(line)) },
  );
  return { world, accounts };
};

describe('cachedAccounts', () => {
  it('reads the secret once for many callbacks', async () => {
    const { world, accounts } = setUp();

    await accounts.current();
    await accounts.current();

    expect(world.reads).toBe(1);
  });

  it('reads it again after five minutes, so that a withdrawn key stops working', async () => {
    const { world, accounts } = setUp();
    await accounts.current();
    world.json = jsonOf('new');
    world.nowMs = 5 * 60_000;

    const book = await accounts.current();

    expect([book.ownerOf('old'), book.ownerOf('new')?.userName]).toEqual([undefined, 'demo']);
  });

  it('reads it again for an unknown key, but at most twice a minute', async () => {
    const { world, accounts } = setUp();
    await accounts.current();
    world.json = jsonOf('new');

    world.nowMs = 29_999;
    expect((await accounts.refreshed()).ownerOf('new')).toBeUndefined();
    world.nowMs = 30_000;
    expect((await accounts.refreshed()).ownerOf('new')?.userName).toBe('demo');

    expect(world.reads).toBe(2);
  });

  it('serves on with the last accounts while the secret cannot be read, and tells it', async () => {
    const { world, accounts } = setUp();
    await accounts.current();
    world.json = 'down';
    world.nowMs = 10 * 60_000;

    expect((await accounts.current()).ownerOf('old')?.userName).toBe('demo');

    expect(world.lines.join()).toContain('"where":"accounts"');
    expect(world.lines.join()).not.toContain('sentinel-value');
  });

  it('names the faulty setting of a secret that cannot be used, without its value', async () => {
    const { world, accounts } = setUp();
    world.json = JSON.stringify([{ userName: 'demo', apiKeys: ['sentinel-value'], timeZone: 'Mars/Olympus' }]);

    await expect(accounts.current()).rejects.toThrow(/\[0\]\.timeZone: Expected an IANA time zone/);
    await expect(accounts.current()).rejects.not.toThrow(/sentinel-value/);
  });
});
