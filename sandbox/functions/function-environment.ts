import { devNull } from 'node:os';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import type { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import type { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { callbackSecretHash } from '../../lib/accounts/callback-secret.ts';
import { busName, localRegion, tableNames } from '../frame/local-aws.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface FunctionSettings {
  readonly urls: Readonly<
    Record<'dynamodb' | 'sqs' | 'eventbridge' | 's3' | 'secretsmanager' | 'parkingQueue', string>
  >;
  readonly accountsSecretArn: string;
  readonly callbackSecret: string | undefined;
}

type CoreVariables = VariablesOf<typeof receiveCallbackEnv> &
  VariablesOf<typeof publishChangesEnv> &
  VariablesOf<typeof pollAgentsEnv>;

export type OwnVariables<Declared> = Omit<Declared, keyof CoreVariables>;

/** Settings of the user's AWS tools that would change where the functions connect to. */
const unset = {
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  // The accounts that the sandbox starts with. The functions read the secret, which can change.
  CALLFEED_ACCOUNTS: undefined,
};

/** Other services point to the event bus's address, which rejects them, so nothing reaches AWS. */
export const functionEnvironment = ({ urls, accountsSecretArn, callbackSecret }: FunctionSettings): Variables => {
  const own: CoreVariables = {
    CALLS_TABLE: tableNames.calls,
    QUARANTINE_TABLE: tableNames.quarantine,
    AGENTS_TABLE: tableNames.agents,
    PARKING_QUEUE_URL: urls.parkingQueue,
    BUS_NAME: busName,
    ACCOUNTS_SECRET_ARN: accountsSecretArn,
    CALLBACK_SECRET_SHA256: callbackSecret === undefined ? undefined : callbackSecretHash(callbackSecret),
    DEPLOYMENT: 'sandbox',
    PERSONAL_FIELDS: undefined,
  };

  return {
    ...unset,
    ...own,
    AWS_ENDPOINT_URL: urls.eventbridge,
    AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb,
    AWS_ENDPOINT_URL_SQS: urls.sqs,
    AWS_ENDPOINT_URL_EVENTBRIDGE: urls.eventbridge,
    AWS_ENDPOINT_URL_S3: urls.s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: urls.secretsmanager,
    AWS_REGION: localRegion,
    // Where it is set the SDK passes traces on, by which recursion is detected.
    AWS_LAMBDA_FUNCTION_NAME: 'sandbox',
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
};

export const applyEnvironment = (values: Variables): (() => void) => {
  const apply = (entries: Variables): void => {
    for (const [name, value] of Object.entries(entries))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  apply(values);
  return () => apply(before);
};
