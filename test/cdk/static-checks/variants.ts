import { configurations, kmsKeyArn, synthesise } from '../support/synthesise.ts';

const settings = {
  ...configurations,
  'a key': { kmsKeyArn },
  'a permissions boundary': { permissionsBoundary: 'callfeed-boundary' },
  'accounts of subscribers': { subscriberAccounts: '444455556666' },
};

/** Templates that represent those of all settings. */
export const variants = Object.entries(settings).map(([name, context]) => {
  const { stackName, template } = synthesise({ context });
  return { name, stackName, template: template.toJSON() };
});
