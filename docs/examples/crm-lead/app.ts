import { App, Duration, SecretValue, Stack } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventField,
  HttpMethod,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface CrmLeadProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
  /** The address of the CRM's API, to which `/leads/{callId}` is added. */
  readonly crmUrl: string;
  /** The version of the secret with the CRM's key. Another one makes CloudFormation read it anew. */
  readonly keyVersion: string;
}

/** Makes a lead in a CRM of each inbound call, without code of its own: EventBridge sends the CRM's JSON. */
class CrmLeadStack extends Stack {
  constructor(scope: Construct, id: string, { stage, crmUrl, keyVersion }: CrmLeadProps) {
    super(scope, id);

    // A reference: CloudFormation reads the key, and the template does not have it.
    const key = SecretValue.secretsManager('crm-lead/key', { versionId: keyVersion });
    const connection = new Connection(this, 'Connection', { authorization: Authorization.apiKey('X-Api-Key', key) });
    const crm = new ApiDestination(this, 'Crm', {
      connection,
      endpoint: `${crmUrl}/leads/*`,
      httpMethod: HttpMethod.PUT,
      rateLimitPerSecond: 10,
    });

    const lead = new ApiDestinationTarget(crm, {
      // The call is the key of its lead: a repeat writes the same lead again.
      pathParameterValues: ['$.detail.callId'],
      event: RuleTargetInput.fromObject({
        external_id: EventField.fromPath('$.detail.callId'),
        // EventBridge keeps no order, so the CRM has to know which of two leads is the newer.
        revision: EventField.fromPath('$.detail.revision'),
        phone: EventField.fromPath('$.detail.call.customerNumber'),
        called_at: EventField.fromPath('$.detail.call.startedAt'),
        contact_centre: EventField.fromPath('$.detail.account'),
        source: 'inbound call',
      }),
      retryAttempts: 185,
      maxEventAge: Duration.hours(24),
      deadLetterQueue: new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) }),
    });

    // EventBridge cannot leave out what an event lacks, so the rules demand every field that the lead needs.
    const call = { type: ['inbound'], customerNumber: [{ exists: true }], startedAt: [{ exists: true }] } as const;
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    callfeed.onCallRecorded(lead, { where: { call } });
    // A call's first event may lack one of them. A replay of a revised call has its last revision.
    callfeed.onCallRevised(lead, { where: { call } });
  }
}

const app = new App();
const context = (name: string, example: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string') throw new Error(`Give -c ${name}=${example}`);

  return value;
};

new CrmLeadStack(app, 'crm-lead', {
  stage: context('stage', 'prod'),
  crmUrl: context('crmUrl', 'https://crm.example.com/api'),
  keyVersion: context('keyVersion', 'the VersionId of the secret crm-lead/key'),
});
