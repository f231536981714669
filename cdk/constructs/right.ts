import type { IConstruct } from 'constructs';

/** What somebody may do, on which resource (by its ARN), and the reason why. */
export interface Right {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly why: string;
}

const metadataKey = 'callfeed:right';

/** Notes why a role has a right, so that the rights of a deployment can be listed with their reasons. */
export const explain = ({ node }: IConstruct, right: Right): void => node.addMetadata(metadataKey, right);

/** The rights that were explained for a role. */
export const explainedRights = ({ node }: IConstruct): readonly Right[] =>
  node.metadata.filter(({ type }) => type === metadataKey).map(({ data }) => data);
