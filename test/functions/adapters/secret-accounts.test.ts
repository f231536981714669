import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { cachedAccounts, readAhead, secretAccounts } from '../../../functions/adapters/secret-accounts.ts';
import { accountsPlaceholder, isNotSetUp } from '../../../lib/accounts/accounts.ts';
import { scriptedClient } from '../../support/watched-clients.ts';

describe('readAhead', () => {
  const setUp = (answers: readonly (string | Error)[]) => {
    const world = { nowMs: 0, reads: 0 };
    const read = async () => {
      const answer = answers[world.reads++] ?? 'no answer';
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { world, readText: readAhead(read, () => new Date(world.nowMs)) };
  };

  it('reads a text before it is needed, for the first read alone', async () => {
    const { world, readText } = setUp(['first', 'second']);
    await expect.poll(() => world.reads).toBe(1);

    expect([await readText(), world.reads]).toEqual(['first', 1]);
    expect([await readText(), world.reads]).toEqual(['second', 2]);
  });

  it('reads it again if that failed, and rejects only if it fails again', async () => {
    const { readText } = setUp([new Error('too early'), new Error('still down'), 'third']);

    await expect(readText()).rejects.toThrow('still down');
    expect(await readText()).toBe('third');
  });

  it('reads it again if that was half a minute ago, as a key may have been revoked since', async () => {
    const { world, readText } = setUp(['old', 'new']);
    await expect.poll(() => world.reads).toBe(1);
    world.nowMs = 30_000;

    expect(await readText()).toBe('new');
  });
});

describe('cachedAccounts', () => {
  const jsonOf = (key: string) => JSON.stringify([{ userName: 'demo', apiKeys: [key], timeZone: 'UTC' }]);

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
      { clock: () => new Date(world.nowMs), telemetry },
    );
    return { world, accounts, telemetry };
  };

  it('reads it again after five minutes, so that a revoked key stops working', async () => {
    const { world, accounts } = setUp();
    await Promise.all([accounts.current(), accounts.current()]);
    world.json = jsonOf('new');
    world.nowMs = 5 * 60_000 - 1;
    expect((await accounts.current()).accountForKey('new')).toBeUndefined();
    world.nowMs += 1;
    const after = await accounts.current();

    expect([after.accountForKey('old'), after.accountForKey('new')?.userName]).toEqual([undefined, 'demo']);
  });

  it('reads it again for an unknown key, but at most twice a minute', async () => {
    const { world, accounts } = setUp();
    await accounts.current();
    world.json = jsonOf('new');

    world.nowMs = 29_999;
    expect((await accounts.refresh()).accountForKey('new')).toBeUndefined();
    world.nowMs = 30_000;
    expect((await accounts.refresh()).accountForKey('new')?.userName).toBe('demo');

    expect(world.reads).toBe(2);
  });

  it('uses the last accounts while the secret cannot be read, and reports it once', async () => {
    const { world, accounts, telemetry } = setUp();
    await accounts.current();
    world.json = 'down';
    world.nowMs = 10 * 60_000;

    expect((await accounts.current()).accountForKey('old')?.userName).toBe('demo');
    expect((await accounts.refresh()).accountForKey('old')?.userName).toBe('demo');
    telemetry.flush();

    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', where: 'accounts' }]);
    expect(world.lines.join()).not.toContain('sentinel-value');
  });

  it('reads the secret at most once a second while there are no accounts', async () => {
    const { world, accounts } = setUp();
    world.json = accountsPlaceholder;
    for (let post = 0; post < 500; post++) await expect(accounts.current()).rejects.toSatisfy(isNotSetUp);
    expect(world.reads).toBe(1);

    world.json = jsonOf('new');
    world.nowMs = 999;
    await expect(accounts.refresh()).rejects.toSatisfy(isNotSetUp);
    world.nowMs = 1000;
    expect((await accounts.current()).accountForKey('new')?.userName).toBe('demo');
    expect(world.reads).toBe(2);
  });
});

describe('secretAccounts', () => {
  const json = (userName: string) => JSON.stringify([{ userName, apiKeys: ['key'], timeZone: 'Europe/London' }]);

  const ports = {
    clock: () => new Date(),
    telemetry: jsonTelemetry({ function: 'test', deployment: 'test' }, () => undefined),
  };

  const setUp = () => scriptedClient<SecretsManagerClient>(() => ({ SecretString: json('in-the-secret') }));

  it.each([
    ['in-the-secret', { ACCOUNTS_SECRET_ARN: 'arn:secret' }, 1],
    ['in-the-environment', { CALLFEED_ACCOUNTS: json('in-the-environment') }, 0],
  ])('has the account %s where the environment is %o, with so many requests: %i', async (name, sources, requests) => {
    const { client, sent } = setUp();
    const book = await secretAccounts(client, sources, ports).current();

    expect(book.accountNamed(name)).toMatchObject({ timeZone: 'Europe/London' });
    expect(sent).toHaveLength(requests);
  });

  it.each([{}, { ACCOUNTS_SECRET_ARN: 'arn:secret', CALLFEED_ACCOUNTS: '[]' }])('rejects %o', (sources) => {
    expect(() => secretAccounts(setUp().client, sources, ports)).toThrow('exactly one of ACCOUNTS_SECRET_ARN');
  });
});
