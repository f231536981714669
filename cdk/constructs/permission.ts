import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';

/** Actions that a role may use, the ARN of the resource, the conditions, and the reason. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const metadataKey = 'callfeed:permission';

/** Records why a role has a permission, so that `npm run permissions` can list it with its reason. */
export const explain = ({ node }: IConstruct, { actions, resource, why }: Permission): void =>
  node.addMetadata(metadataKey, { actions, resource, why });

/** The permissions of a role that have a recorded reason. */
export const explainedPermissions = ({ node }: IConstruct): readonly Permission[] =>
  node.metadata.filter(({ type }) => type === metadataKey).map(({ data }) => data);

/** The IAM statement that grants a permission. */
export const statementOf = ({ actions, resource, conditions }: Permission): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [resource], ...(conditions && { conditions }) });

/** Permission to use a key through these services only: the role cannot decrypt anything by itself. */
export const keyPermission = (key: IKey, actions: readonly string[], services: readonly string[]): Permission => ({
  actions,
  resource: key.keyArn,
  conditions: {
    StringEquals: { 'kms:ViaService': services.map((service) => `${service}.${Stack.of(key).region}.amazonaws.com`) },
  },
  why: `Uses the deployment’s key, through ${services.join(', ')} only.`,
});
