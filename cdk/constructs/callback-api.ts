import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  DomainName,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Unit } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { counter, metricDimension, metricNamespace } from '../../lib/telemetry/metrics.ts';
import type { Core } from './deployment-context.ts';
import { type Alarms, callfeedMetric } from './monitoring.ts';
import { privateLog } from './storage.ts';

/** Counted by CloudWatch in the API's log: API Gateway rejects such a post itself, and no function runs. */
const callbacksThrottled = counter('CallbacksThrottled');

export class CallbackApi extends Construct {
  /** Has no slash at the end, because the telephony service appends `/callDetails`. */
  readonly url: string;
  readonly api: HttpApi;
  /** The name of `callbackDomain`, to which your DNS must point. It outlives a new API; the API’s own address answers too. */
  readonly domain: DomainName | undefined;
  readonly accessLog: LogGroup;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, core: Core & { readonly receiver: IFunction }) {
    super(scope, id);

    const { deploymentContext, receiver, settings } = core;
    // One route for every path: the receiver reads paths itself, because a route does not match additional slashes.
    this.api = new HttpApi(this, 'HttpApi', {
      description: 'Callbacks of the telephony service.',
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration('Receiver', receiver, { scopePermissionToRoute: false }),
    });

    // Without the prefix /aws/vendedlogs, API Gateway adds the log to one policy of the account, which fits a few dozen logs.
    const { deployment } = deploymentContext;
    this.accessLog = privateLog(this, 'AccessLog', deploymentContext, `/aws/vendedlogs/${deployment}`);
    // API Gateway throttles requests before a function runs. In its log the status is text, and the deployment a field of each line.
    new MetricFilter(this, 'Throttled', {
      logGroup: this.accessLog,
      metricName: callbacksThrottled.name,
      metricNamespace,
      metricValue: '1',
      unit: Unit.COUNT,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      dimensions: { [metricDimension]: `$.${metricDimension}` },
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: settings.throttleRate, burstLimit: settings.throttleBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: accessLogFormat(deployment),
      },
    });

    const { callbackDomain: domainName, callbackCertificateArn: arn } = settings;
    if (domainName !== undefined && arn !== undefined) {
      const certificate = Certificate.fromCertificateArn(this, 'Certificate', arn);
      const securityPolicy = SecurityPolicy.TLS_1_2;
      this.domain = new DomainName(this, 'Domain', { domainName, certificate, securityPolicy });
      new ApiMapping(this, 'Mapping', { api: this.api, stage, domainName: this.domain });
    }
    this.url = this.domain ? `https://${this.domain.name}` : this.api.apiEndpoint;
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The telephony service signs nothing that an authoriser could check. The receiver itself accepts only the key of ' +
        'a known account or the secret address, before it stores anything.',
    });

    this.alarms = {
      // The receiver crashed or was not run, it has no accounts, or neither table nor queue accepted a record.
      CallbacksFail: {
        impact:
          'The API answered the telephony service with a 5xx status. The calls are lost unless it posts them again.',
        metric: this.api.metricServerError({ statistic: 'Sum' }),
      },
      CallbacksThrottled: {
        impact:
          'API Gateway throttled requests because too many arrived. Calls among them are lost unless they are posted again.',
        metric: callfeedMetric(deploymentContext, callbacksThrottled),
      },
    };
  }
}

/** Logs neither the path nor the query: a path may hold the callback secret, a query a key. */
const accessLogFormat = (deployment: string): AccessLogFormat =>
  AccessLogFormat.custom(
    JSON.stringify({
      [metricDimension]: deployment,
      requestId: '$context.requestId',
      requestedAt: '$context.requestTime',
      method: '$context.httpMethod',
      status: '$context.status',
      latencyMilliseconds: '$context.responseLatency',
      integrationStatus: '$context.integrationStatus',
      integrationLatencyMilliseconds: '$context.integrationLatency',
      responseBytes: '$context.responseLength',
    }),
  );
