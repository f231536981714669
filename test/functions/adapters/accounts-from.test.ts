import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { accountsFrom } from '../../../functions/adapters/accounts-from.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { scriptedClient } from '../../support/recording-client.ts';

const json = (userName: string) => JSON.stringify([{ userName, apiKeys: ['key'] }]);

const ports = { clock: () => new Date(), telemetry: jsonTelemetry('test', () => undefined) };

const setUp = () => scriptedClient<SecretsManagerClient>(() => ({ SecretString: json('in-the-secret') }));

describe('accountsFrom', () => {
  it('reads the secret that the environment names', async () => {
    const { client, sent } = setUp();

    const book = await accountsFrom(client, { ACCOUNTS_SECRET_ARN: 'arn:secret' }, ports).current();

    expect(book.named('in-the-secret')).toBeDefined();
    expect(sent).toHaveLength(1);
  });

  it('asks nobody where the environment holds the accounts', async () => {
    const { client, sent } = setUp();

    const book = await accountsFrom(client, { CALLFEED_ACCOUNTS: json('in-the-environment') }, ports).current();

    expect(book.named('in-the-environment')).toBeDefined();
    expect(sent).toEqual([]);
  });
});
