import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** What CloudWatch takes as a dimension and as the name of a query, with the query's own title. */
const maxLength = 200;

/**
 * What a deployment is called among others in its AWS account: by its stack, which may have a name of its own, and its place
 * in it.
 */
export const deploymentOf = (construct: Construct): string => {
  const { stackName, node } = Stack.of(construct);
  const place = construct.node.path.slice(node.path.length).split('/').filter(Boolean);
  const stack = Token.isUnresolved(stackName) ? node.path.replaceAll('/', '-') : stackName;

  const deployment = [stack, ...place].join('-');
  if (deployment.length > maxLength)
    throw new Error(`Callfeed at ${construct.node.path}: stack and path may have ${maxLength} characters at most`);

  return deployment;
};
