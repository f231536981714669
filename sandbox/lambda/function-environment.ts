import { devNull } from 'node:os';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import type { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import type { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import type { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import type { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import type { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import { callbackSecretHash } from '../../lib/accounts/redact-secrets.ts';
import { localRegion, recordingsBucket } from '../local-aws.ts';
import { recordingsHost } from '../simulator/call-fields.ts';

export interface FunctionSettings {
  readonly dynamodbUrl: string;
  readonly queueUrl: string;
  readonly busUrl: string;
  readonly parkingQueueUrl: string;
  readonly reconciliationQueueUrl: string;
  readonly forwardingQueueUrl: string;
  readonly recordingsQueueUrl: string;
  readonly recordingsDeadLettersUrl: string;
  readonly s3Url: string;
  readonly simulatorUrl: string | undefined;
  readonly busName: string;
  readonly tableNames: { readonly calls: string; readonly agents: string; readonly quarantine: string };
  readonly accountsSecret: { readonly url: string; readonly arn: string };
  readonly callbackSecret: string | undefined;
}

type FunctionEnv = VariablesOf<typeof receiveCallbackEnv> &
  VariablesOf<typeof publishChangesEnv> &
  VariablesOf<typeof pollAgentsEnv> &
  VariablesOf<typeof reconcileCallsEnv> &
  VariablesOf<typeof forwardDeliveriesEnv> &
  VariablesOf<typeof archiveRecordingsEnv>;

/** Settings of the user's AWS tools that would change where the functions connect to. Undefined unsets them. */
const unset = {
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  // The accounts that the sandbox starts with. The functions read the secret, which can change.
  CALLFEED_ACCOUNTS: undefined,
};

/**
 * The environment of all functions together. Requests to AWS services that the sandbox does not emulate go to the
 * endpoint of the event bus, which rejects them. So nothing ever reaches AWS.
 */
export const functionEnvironment = (settings: FunctionSettings): Readonly<Record<string, string | undefined>> => {
  const secret = settings.callbackSecret;
  const own: FunctionEnv = {
    CALLS_TABLE: settings.tableNames.calls,
    QUARANTINE_TABLE: settings.tableNames.quarantine,
    AGENTS_TABLE: settings.tableNames.agents,
    PARKING_QUEUE_URL: settings.parkingQueueUrl,
    RECONCILE_QUEUE_URL: settings.reconciliationQueueUrl,
    FORWARD_QUEUE_URL: settings.forwardingQueueUrl,
    // The simulated service posts a call at once, and nobody who tries the sandbox waits a quarter of an hour.
    SETTLE_SECONDS: '30',
    RECORDINGS_BUCKET: recordingsBucket,
    RECORDINGS_QUEUE_URL: settings.recordingsQueueUrl,
    RECORDINGS_DEAD_LETTERS_URL: settings.recordingsDeadLettersUrl,
    RECORDING_HOSTS: recordingsHost,
    RECORDINGS_THROUGH: settings.simulatorUrl,
    BUS_NAME: settings.busName,
    ACCOUNTS_SECRET_ARN: settings.accountsSecret.arn,
    CALLBACK_SECRET_SHA256: secret === undefined ? undefined : callbackSecretHash(secret),
    DEPLOYMENT: 'sandbox',
    PERSONAL_FIELDS: undefined,
  };

  return {
    ...unset,
    ...own,
    AWS_ENDPOINT_URL: settings.busUrl,
    AWS_ENDPOINT_URL_DYNAMODB: settings.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: settings.queueUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: settings.busUrl,
    AWS_ENDPOINT_URL_S3: settings.s3Url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: settings.accountsSecret.url,
    AWS_REGION: localRegion,
    // Where it is set the SDK passes traces on, by which recursion is detected.
    AWS_LAMBDA_FUNCTION_NAME: 'sandbox',
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
};

/** Sets variables of this process's environment. The returned function restores the previous values. */
export const applyEnvironment = (values: Readonly<Record<string, string | undefined>>): (() => void) => {
  const apply = (entries: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(entries)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  apply(values);
  return () => apply(before);
};
