import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../functions/receive-callback/routes.ts';
import type { Settings } from '../config.ts';

/** Who answers, and how much of it is let through. */
export interface CallbackApiProps {
  readonly receiver: IFunction;
  readonly settings: Pick<Settings, 'throttleRate' | 'throttleBurst'>;
}

/** The route's pattern stands for the path, which may hold the callback secret, as a query may hold a key. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    requestedAt: '$context.requestTime',
    route: '$context.routeKey',
    status: '$context.status',
    latencyMilliseconds: '$context.responseLatency',
    integrationStatus: '$context.integrationStatus',
    integrationLatencyMilliseconds: '$context.integrationLatency',
    responseBytes: '$context.responseLength',
  }),
);

/** The public address that callbacks are posted to. */
export class CallbackApi extends Construct {
  /** Without a slash at the end, as the service appends `/callDetails`. */
  readonly url: string;

  constructor(scope: Construct, id: string, { receiver, settings }: CallbackApiProps) {
    super(scope, id);

    const api = new HttpApi(this, 'HttpApi', {
      description: 'Callbacks of the contact-centre service.',
      createDefaultStage: false,
    });
    const integration = new HttpLambdaIntegration('Receiver', receiver, { scopePermissionToRoute: false });
    for (const { path, methods } of routes)
      api.addRoutes({ path, methods: methods.map((method) => HttpMethod[method]), integration });

    const logGroup = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: settings.throttleRate, burstLimit: settings.throttleBurst },
      accessLogSettings: { destination: new LogGroupLogDestination(logGroup), format: accessLogFormat },
    });

    this.url = api.apiEndpoint;
  }
}
