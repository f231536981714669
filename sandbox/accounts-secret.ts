import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Account, parseAccounts } from '../lib/accounts/accounts.ts';
import type { Closers } from './closers.ts';
import { type AwsJson, awsJson, failure, operation, result } from './http/aws-json.ts';
import { serve } from './http/serve.ts';
import { localAccount, localRegion } from './local-aws.ts';

const secretsManager: AwsJson = {
  version: '1.1',
  service: 'secretsmanager',
  namespace: 'com.amazonaws.secretsmanager',
};
const name = 'callfeed-accounts';
const arn = `arn:aws:secretsmanager:${localRegion}:${localAccount}:secret:${name}-sandbx`;

const GetSecretValue = z.object({
  SecretId: z.string(),
  VersionId: z.string().optional(),
  VersionStage: z.enum(['AWSCURRENT', 'AWSPREVIOUS']).optional(),
});
const PutSecretValue = z.object({ SecretId: z.string(), SecretString: z.string().min(1).max(65_536) });

interface Version {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
}

/**
 * Starts the part of Secrets Manager that changes a key need: the current version, the one before it, and a new one. It has
 * the secret with the accounts, which the functions read as they do in a deployment.
 */
export const startAccountsSecret = async (closers: Closers) => {
  // The current version comes first. Secrets Manager deletes versions without a label, so two are enough.
  let versions: readonly Version[] = [];
  let accounts: readonly Account[] = [];

  const add = (text: string): Version => {
    const version = { id: randomUUID(), text, createdAt: Math.floor(Date.now() / 1000) };
    const [current] = versions;
    versions = current === undefined ? [version] : [version, current];
    const parsed = parseAccounts(text);
    if (parsed.ok) accounts = parsed.value;
    return version;
  };
  const described = ({ id }: Version) => ({
    ARN: arn,
    Name: name,
    VersionId: id,
    VersionStages: [id === versions[0]?.id ? 'AWSCURRENT' : 'AWSPREVIOUS'],
  });
  const notFound = failure(
    secretsManager,
    400,
    'ResourceNotFoundException',
    "Secrets Manager can't find the specified secret value.",
  );

  const endpoint = awsJson(secretsManager, {
    GetSecretValue: operation(secretsManager, GetSecretValue, ({ SecretId, VersionId, VersionStage }) => {
      const version = versions.find(({ id }, index) =>
        VersionId === undefined ? index === (VersionStage === 'AWSPREVIOUS' ? 1 : 0) : id === VersionId,
      );
      if (!isOurs(SecretId) || version === undefined) return notFound;
      return result(secretsManager, {
        ...described(version),
        SecretString: version.text,
        CreatedDate: version.createdAt,
      });
    }),
    PutSecretValue: operation(secretsManager, PutSecretValue, ({ SecretId, SecretString }) =>
      isOurs(SecretId) ? result(secretsManager, described(add(SecretString))) : notFound,
    ),
  });
  const served = await serve(endpoint);
  closers.add(served.close);

  return {
    url: served.url,
    arn,
    /** The last usable list: as the functions do, the sandbox goes on with it when somebody puts a malformed one. */
    accounts: () => accounts,
    put(list: readonly Account[]) {
      add(JSON.stringify(list));
    },
  };
};

export type AccountsSecret = Awaited<ReturnType<typeof startAccountsSecret>>;

const isOurs = (secretId: string): boolean => secretId === arn || secretId === name;
