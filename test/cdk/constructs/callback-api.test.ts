import { describe, expect, it } from 'vitest';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, only, propertiesOf } from '../support/template.ts';

const { template } = synthesise({ context: { throttleRate: '40', throttleBurst: '80' } });
const stage = only(template, 'AWS::ApiGatewayV2::Stage', 'ApiStage');

describe('the callback API', () => {
  it('answers checks of the address with and without the secret, and takes posts below it', () => {
    const routes = Object.values(propertiesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ RouteKey }) => RouteKey);

    expect(routes.toSorted()).toEqual([
      'GET /',
      'GET /callDetails',
      'GET /{secret}',
      'GET /{secret}/callDetails',
      'HEAD /',
      'HEAD /callDetails',
      'HEAD /{secret}',
      'HEAD /{secret}/callDetails',
      'POST /callDetails',
      'POST /{secret}/callDetails',
    ]);
  });

  it('hands every request to the receiver in payload format 2.0', () => {
    const { IntegrationUri, PayloadFormatVersion } = only(template, 'AWS::ApiGatewayV2::Integration', 'Api');

    expect(nameOf(IntegrationUri)).toBe('ReceiveCallbackServiceFunction.Arn');
    expect(PayloadFormatVersion).toBe('2.0');
  });

  it('is served at the root of its address, as soon as it is deployed', () => {
    expect(stage).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('bounds what a stranger can send, on every route', () => {
    expect(stage['DefaultRouteSettings']).toMatchObject({ ThrottlingRateLimit: 40, ThrottlingBurstLimit: 80 });
    expect(stage['RouteSettings']).toBeUndefined();
  });

  it('logs the pattern of the route, never the path, the query or a header, which may hold a secret', () => {
    const logged = Object.values<string>(JSON.parse(stage['AccessLogSettings'].Format));

    expect(logged.toSorted()).toEqual([
      '$context.integrationLatency',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.routeKey',
      '$context.status',
      'callfeed-prod-Callfeed',
    ]);
    expect(nameOf(stage['AccessLogSettings'].DestinationArn)).toBe('ApiAccessLog.Arn');
  });

  it('has what is throttled counted in its log, since no function sees it', () => {
    const { LogGroupName, FilterPattern, MetricTransformations } = only(template, 'AWS::Logs::MetricFilter', 'Api');

    expect(nameOf(LogGroupName)).toBe('ApiAccessLog.Ref');
    expect(FilterPattern).toBe('{ $.status = "429" }');
    expect(MetricTransformations).toEqual([
      {
        MetricNamespace: 'Callfeed',
        MetricName: 'CallbacksThrottled',
        MetricValue: '1',
        Unit: 'Count',
        Dimensions: [{ Key: 'deployment', Value: '$.deployment' }],
      },
    ]);
  });

  it('may be called by this API alone', () => {
    const [permission, ...others] = Object.values(propertiesOf(template, 'AWS::Lambda::Permission'));

    expect(others).toEqual([]);
    expect(permission).toMatchObject({ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' });
    expect(JSON.stringify(permission?.['SourceArn'])).toContain('CallfeedApiHttpApi');
  });
});
