import { describe, expect, it } from 'vitest';
import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { accountsPlaceholder, isNotSetUp } from '../../../lib/account/placeholder.ts';

const jsonOf = (key: string) => JSON.stringify([{ userName: 'demo', apiKeys: [key] }]);

/** Accounts whose secret and clock the test sets, and that count how often the secret is read. */
const setUp = () => {
  const world = { json: jsonOf('old'), nowMs: 0, reads: 0, lines: [] as string[] };
  const telemetry = jsonTelemetry({ function: 'test', deployment: 'test' }, (line) => world.lines.push(line));
  const accounts = cachedAccounts(
    async () => {
      world.reads++;
      if (world.json === 'down') throw new Error('the secret is sentinel-value');
      return world.json;
    },
    { clock: () => new Date(world.nowMs), telemetry, timeZone: 'Europe/London' },
  );
  return { world, accounts, telemetry };
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

  it('serves on with the last accounts while the secret cannot be read, and tells it once', async () => {
    const { world, accounts, telemetry } = setUp();
    await accounts.current();
    world.json = 'down';
    world.nowMs = 10 * 60_000;

    expect((await accounts.current()).ownerOf('old')?.userName).toBe('demo');
    expect((await accounts.refreshed()).ownerOf('old')?.userName).toBe('demo');
    telemetry.flush();

    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', where: 'accounts', error: 'Error' },
      { AccountsOutdated: 1 },
    ]);
    expect(world.lines.join()).not.toContain('AccountsUnreadable');
    expect(world.lines.join()).not.toContain('sentinel-value');
  });

  it('names the faulty setting of a secret that cannot be used, without its value', async () => {
    const { world, accounts } = setUp();
    world.json = JSON.stringify([{ userName: 'demo', apiKeys: ['sentinel-value'], timeZone: 'Mars/Olympus' }]);

    await expect(accounts.current()).rejects.toThrow(/\[0\]\.timeZone: Expected an IANA time zone/);
    await expect(accounts.current()).rejects.not.toThrow(/sentinel-value/);
  });

  it('has the accounts that name no zone in that of the deployment', async () => {
    const { world, accounts } = setUp();
    world.json = JSON.stringify([
      { userName: 'here', apiKeys: ['a'] },
      { userName: 'there', apiKeys: ['b'], timeZone: 'Asia/Tokyo' },
    ]);

    expect((await accounts.current()).all.map(({ timeZone }) => timeZone)).toEqual(['Europe/London', 'Asia/Tokyo']);
  });

  it.each([accountsPlaceholder, `${accountsPlaceholder}\n`])(
    'says of a secret that nobody has filled in what to do: %j',
    async (json) => {
      const { world, accounts } = setUp();
      world.json = json;

      const error = await accounts.current().then(undefined, (reason: unknown) => reason);

      expect(isNotSetUp(error)).toBe(true);
      expect(error).toMatchObject({ message: expect.stringMatching(/placeholder: put the JSON list .*“Deploy”/) });
    },
  );

  it('looks for accounts once a second while there are none, however many posts come', async () => {
    const { world, accounts } = setUp();
    world.json = accountsPlaceholder;
    for (let post = 0; post < 500; post++) await expect(accounts.current()).rejects.toSatisfy(isNotSetUp);
    expect(world.reads).toBe(1);

    world.json = jsonOf('new');
    world.nowMs = 999;
    await expect(accounts.refreshed()).rejects.toSatisfy(isNotSetUp);
    world.nowMs = 1000;
    expect((await accounts.current()).ownerOf('new')?.userName).toBe('demo');
    expect(world.reads).toBe(2);
  });
});
