import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AppSyncAuthorizationType, EventApi } from 'aws-cdk-lib/aws-appsync';
import { OAuthScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents, CallfeedTables } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface LiveWallboardProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
  /** The telephony account whose agents are shown. */
  readonly account: string;
  /** The first part of the log-in page's address. Nobody else in the region may have it. */
  readonly logInPrefix: string;
  /** Where the page is opened: https, or this machine. */
  readonly pageUrl: string;
}

/** Pushes an account's agents to a page, to those who have logged in: rules, a queue, a function, a channel and a user pool. */
class LiveWallboardStack extends Stack {
  constructor(scope: Construct, id: string, { stage, account, logInPrefix, pageUrl }: LiveWallboardProps) {
    super(scope, id);

    const viewers = new UserPool(this, 'Viewers', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      passwordPolicy: { minLength: 12 },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const page = viewers.addClient('Page', {
      oAuth: { flows: { authorizationCodeGrant: true }, scopes: [OAuthScope.OPENID], callbackUrls: [pageUrl] },
      preventUserExistenceErrors: true,
      // A screen on a wall reconnects by itself for so long.
      refreshTokenValidity: Duration.days(30),
    });
    const logIn = viewers.addDomain('LogIn', { cognitoDomain: { domainPrefix: logInPrefix } });

    const byLogIn = AppSyncAuthorizationType.USER_POOL;
    const byRole = AppSyncAuthorizationType.IAM;
    const api = new EventApi(this, 'Api', {
      apiName: 'live-wallboard',
      authorizationConfig: {
        authProviders: [
          { authorizationType: byLogIn, cognitoConfig: { userPool: viewers } },
          { authorizationType: byRole },
        ],
        connectionAuthModeTypes: [byLogIn],
        defaultSubscribeAuthModeTypes: [byLogIn],
        defaultPublishAuthModeTypes: [byRole],
      },
    });
    const channel = api.addChannelNamespace('floor');

    const timeout = Duration.seconds(10);
    const deadLetters = new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Changes', {
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      // A change is followed by others: of an old one nobody wants to know.
      retentionPeriod: Duration.minutes(5),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 3 },
    });
    const target = new SqsQueue(queue, { deadLetterQueue: deadLetters });
    const ofAccount = { where: { account: [account] } };
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    callfeed.onAgentLoggedIn(target, ofAccount);
    callfeed.onAgentStateChanged(target, ofAccount);
    callfeed.onAgentDetailsChanged(target, ofAccount);
    callfeed.onAgentLoggedOut(target, ofAccount);
    callfeed.onFeedInterrupted(target, ofAccount);
    callfeed.onFeedRestored(target, ofAccount);
    // For pages that were just opened, and for the time of the latest poll.
    new Rule(this, 'EveryMinute', { schedule: Schedule.rate(Duration.minutes(1)), targets: [target] });

    const tables = CallfeedTables.fromStage(this, 'Tables', { stage });
    const publish = new NodejsFunction(this, 'Publish', {
      entry: 'handler.ts',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
      timeout,
      environment: {
        CALLS_TABLE: tables.callsTableName,
        AGENTS_TABLE: tables.agentsTableName,
        ACCOUNT: account,
        EVENTS_ENDPOINT: `https://${api.httpDns}/event`,
      },
    });
    // One publication for all that a poll has changed.
    publish.addEventSource(new SqsEventSource(queue, { batchSize: 100, maxBatchingWindow: Duration.seconds(1) }));
    tables.grantRead(publish);
    channel.grantPublish(publish);

    new CfnOutput(this, 'LogIn', { value: logIn.baseUrl() });
    new CfnOutput(this, 'ClientId', { value: page.userPoolClientId });
    new CfnOutput(this, 'HttpHost', { value: api.httpDns });
    new CfnOutput(this, 'RealtimeHost', { value: api.realtimeDns });
    new CfnOutput(this, 'ViewersId', { value: viewers.userPoolId });
  }
}

const app = new App();
const required = (name: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string') throw new Error(`Set ${name}, such as -c ${name}=…`);
  return value;
};

new LiveWallboardStack(app, 'live-wallboard', {
  stage: required('stage'),
  account: required('account'),
  logInPrefix: required('logInPrefix'),
  pageUrl: String(app.node.tryGetContext('pageUrl') ?? 'http://localhost:8080/'),
});
