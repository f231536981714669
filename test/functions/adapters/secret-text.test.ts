import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { secretText } from '../../../functions/adapters/secret-text.ts';
import { scriptedClient } from '../../support/recording-client.ts';

describe('secretText', () => {
  it('reads the secret’s text', async () => {
    const { client, sent } = scriptedClient<SecretsManagerClient>(() => ({ SecretString: '[]' }));

    expect(await secretText(client, 'arn:secret', 1_000)()).toBe('[]');
    expect(sent[0]?.input).toEqual({ SecretId: 'arn:secret' });
  });

  it('throws for a secret without text', async () => {
    const { client } = scriptedClient<SecretsManagerClient>(() => ({ SecretBinary: new Uint8Array() }));

    await expect(secretText(client, 'arn:secret', 1_000)()).rejects.toThrow('holds no text');
  });
});
