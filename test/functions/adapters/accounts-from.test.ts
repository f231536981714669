import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { accountsFrom } from '../../../functions/adapters/accounts-from.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { scriptedClient } from '../../support/recording-client.ts';

const json = (userName: string) => JSON.stringify([{ userName, apiKeys: ['key'] }]);

const ports = {
  clock: () => new Date(),
  telemetry: jsonTelemetry({ function: 'test', deployment: 'test' }, () => undefined),
};

const setUp = () => scriptedClient<SecretsManagerClient>(() => ({ SecretString: json('in-the-secret') }));

describe('accountsFrom', () => {
  it('reads the secret that the environment names', async () => {
    const { client, sent } = setUp();

    const book = await accountsFrom(
      client,
      { ACCOUNTS_SECRET_ARN: 'arn:secret', DEFAULT_TIME_ZONE: 'Europe/London' },
      ports,
    ).current();

    expect(book.named('in-the-secret')).toMatchObject({ timeZone: 'Europe/London' });
    expect(sent).toHaveLength(1);
  });

  it('asks nobody where the environment holds the accounts', async () => {
    const { client, sent } = setUp();

    const book = await accountsFrom(
      client,
      { CALLFEED_ACCOUNTS: json('in-the-environment'), DEFAULT_TIME_ZONE: 'Asia/Tokyo' },
      ports,
    ).current();

    expect(book.named('in-the-environment')).toMatchObject({ timeZone: 'Asia/Tokyo' });
    expect(sent).toEqual([]);
  });
});
