import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { allowServices } from './allow-services.ts';

/**
 * A key as the constructs of a deployment use it: by its ARN, with the services let in here. Handed the key itself, CDK's
 * bus would write its own ARN into the policy of the key that it waits for, and neither could be deployed.
 */
export const keyFrom = (scope: Construct, id: string, key: IKey): IKey => {
  allowServices(scope, key);

  return Key.fromKeyArn(scope, id, key.keyArn);
};
