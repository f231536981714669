import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';

/** The region that is deployed to. */
export const region = 'us-east-1';

/** The account that MiniStack plays, and its root user's key: it may do everything, the functions' roles may not. */
export const awsAccount = '000000000000';
export const rootKey = { accessKeyId: 'test', secretAccessKey: 'test' };

/** The clients with which this test looks at what was deployed, and plays whoever uses it. */
export const clientsAt = (endpoint: string) => {
  const settings = { endpoint, region, credentials: rootKey };

  return {
    cloudFormation: new CloudFormationClient(settings),
    dynamodb: new DynamoDBClient(settings),
    eventBridge: new EventBridgeClient(settings),
    lambda: new LambdaClient(settings),
    logs: new CloudWatchLogsClient(settings),
    secrets: new SecretsManagerClient(settings),
    sqs: new SQSClient(settings),
  };
};

/** The same, by service. */
export type Clients = ReturnType<typeof clientsAt>;
