import { App } from 'aws-cdk-lib';
import { CrmLeadStack } from './crm-lead-stack.ts';

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
