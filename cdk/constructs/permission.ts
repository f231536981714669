import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';

/** What somebody may do, on which resource (by its ARN), on which conditions, and the reason why. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const metadataKey = 'callfeed:right';

/** Notes why a role has a right, so that the rights of a deployment can be listed with their reasons. */
export const explain = ({ node }: IConstruct, { actions, resource, why }: Permission): void =>
  node.addMetadata(metadataKey, { actions, resource, why });

/** The rights that were explained for a role. */
export const explainedPermissions = ({ node }: IConstruct): readonly Permission[] =>
  node.metadata.filter(({ type }) => type === metadataKey).map(({ data }) => data);

/** The statement that grants a right. */
export const statementOf = ({ actions, resource, conditions }: Permission): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [resource], ...(conditions && { conditions }) });

/** The right to use a key, but only through these services: who has it can decrypt nothing by themselves. */
export const keyPermission = (key: IKey, actions: readonly string[], services: readonly string[]): Permission => ({
  actions,
  resource: key.keyArn,
  conditions: {
    StringEquals: { 'kms:ViaService': services.map((service) => `${service}.${Stack.of(key).region}.amazonaws.com`) },
  },
  why: `Uses the key of the deployment, through ${services.join(', ')} only.`,
});
