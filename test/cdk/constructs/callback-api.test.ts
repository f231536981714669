import { describe, expect, it } from 'vitest';
import { nameOf, only, propertiesOf, synthesise } from '../support/template.ts';

const { template } = synthesise({ context: { throttleRate: '40', throttleBurst: '80' } });
const stage = only(template, 'AWS::ApiGatewayV2::Stage', 'ApiStage');

describe('the callback API', () => {
  // The receiver accepts any number of slashes.
  it('sends every request, whatever its path and method, to the receiver, which nothing else may invoke', () => {
    const { IntegrationUri, PayloadFormatVersion } = only(template, 'AWS::ApiGatewayV2::Integration', 'Api');

    expect(Object.values(propertiesOf(template, 'AWS::ApiGatewayV2::Route'))).toMatchObject([
      { RouteKey: '$default', AuthorizationType: 'NONE' },
    ]);
    expect([nameOf(IntegrationUri), PayloadFormatVersion]).toEqual(['ReceiveCallbackServiceFunction.Arn', '2.0']);
    const permissions = Object.values(propertiesOf(template, 'AWS::Lambda::Permission'));
    expect(permissions).toMatchObject([{ Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' }]);
    expect(JSON.stringify(permissions[0]?.['SourceArn'])).toContain('CallfeedApiHttpApi');
  });

  it('is served at the root of its address, as soon as it is deployed, and throttles every route', () => {
    expect(stage).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 40, ThrottlingBurstLimit: 80 },
    });
    expect(stage['RouteSettings']).toBeUndefined();
  });

  it('logs the method, but no path, query or header, which may hold a secret', () => {
    const logged = Object.values<string>(JSON.parse(stage['AccessLogSettings'].Format));

    expect(logged.toSorted()).toEqual([
      '$context.httpMethod',
      '$context.integrationLatency',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.status',
      'callfeed-prod-Callfeed',
    ]);
    expect(nameOf(stage['AccessLogSettings'].DestinationArn)).toBe('ApiAccessLog.Arn');
    expect(nameOf(only(template, 'AWS::Logs::MetricFilter', 'Api')['LogGroupName'])).toBe('ApiAccessLog.Ref');
  });

  it('has an address of the customer’s own beside its own, with a record for DNS', () => {
    const callbackCertificateArn =
      'arn:aws:acm:eu-west-1:111122223333:certificate/1234abcd-12ab-34cd-56ef-1234567890ab';
    const own = synthesise({ context: { callbackDomain: 'calls.example.com', callbackCertificateArn } }).template;
    const { CallbackUrl, CallbackDomainTarget } = own.findOutputs('*');
    const [mapping] = Object.values(propertiesOf(own, 'AWS::ApiGatewayV2::ApiMapping'));

    expect(only(own, 'AWS::ApiGatewayV2::DomainName', 'ApiDomain')).toMatchObject({
      DomainName: 'calls.example.com',
      DomainNameConfigurations: [
        { CertificateArn: callbackCertificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
    expect([nameOf(mapping?.['ApiId']), nameOf(mapping?.['DomainName'])]).toEqual(['ApiHttpApi.Ref', 'ApiDomain.Ref']);
    expect(CallbackUrl?.['Value']['Fn::Join'][1].map(nameOf).join('')).toBe('https://ApiDomain.Ref');
    expect(nameOf(CallbackDomainTarget?.['Value'])).toBe('ApiDomain.RegionalDomainName');
    expect(only(own, 'AWS::ApiGatewayV2::Api', 'ApiHttpApi')).not.toHaveProperty('DisableExecuteApiEndpoint');
  });
});
