import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../functions/receive-callback/routes.ts';
import { metricDimension } from '../../lib/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { countThrottled } from './count-throttled.ts';
import { privateLog } from './private-log.ts';
import type { Standards } from './standards.ts';

/** Who answers, and how much of it is let through. */
export interface CallbackApiProps {
  readonly standards: Standards;
  readonly receiver: IFunction;
  readonly settings: Pick<Settings, 'throttleRate' | 'throttleBurst'>;
}

/** The route's pattern stands for the path, which may hold the callback secret, as a query may hold a key. */
const accessLogFormat = (deployment: string): AccessLogFormat =>
  AccessLogFormat.custom(
    JSON.stringify({
      [metricDimension]: deployment,
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
  readonly api: HttpApi;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, { standards, receiver, settings }: CallbackApiProps) {
    super(scope, id);

    this.api = new HttpApi(this, 'HttpApi', {
      description: 'Callbacks of the contact-centre service.',
      createDefaultStage: false,
    });
    const integration = new HttpLambdaIntegration('Receiver', receiver, { scopePermissionToRoute: false });
    for (const { path, methods } of routes)
      this.api.addRoutes({ path, methods: methods.map((method) => HttpMethod[method]), integration });

    // API Gateway adds every other log to a policy of the account that has room for a few dozen.
    this.accessLog = privateLog(this, 'AccessLog', standards, `/aws/vendedlogs/${standards.deployment}`);
    countThrottled(this, 'Throttled', this.accessLog);
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: settings.throttleRate, burstLimit: settings.throttleBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: accessLogFormat(standards.deployment),
      },
    });

    this.url = this.api.apiEndpoint;
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The service signs nothing that an authoriser could check. The receiver itself believes only the key of a ' +
        'known account or the secret address, before it stores anything.',
    });
  }
}
