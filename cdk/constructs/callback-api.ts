import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../functions/receive-callback/routes.ts';
import { type LoggedMetric, metricDimension, metricNamespace } from '../../lib/telemetry/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { privateLog, type Standards } from './standards.ts';

const metricName: LoggedMetric = 'CallbacksThrottled';

/**
 * Counts in the API's log the requests that API Gateway refused, as they came faster than the throttle lets through. No
 * function sees them. The status is a text there, and the deployment a field of the line.
 */
const countThrottled = (scope: Construct, id: string, logGroup: ILogGroup): MetricFilter =>
  new MetricFilter(scope, id, {
    logGroup,
    metricName,
    metricNamespace,
    metricValue: '1',
    unit: Unit.COUNT,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    dimensions: { [metricDimension]: `$.${metricDimension}` },
  });

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
