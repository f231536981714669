import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** What CloudWatch takes as a dimension and as the name of a query, with the query's own title. */
const maxLength = 200;

const placeOf = (path: string): string => path.replaceAll('/', '-');

/** The name that was given to a stack, or undefined where CDK names it after its place in the app. */
export const givenName = ({ stackName, node }: Stack): string | undefined =>
  Token.isUnresolved(stackName) || stackName === placeOf(node.path) ? undefined : stackName;

/**
 * What a deployment is called among others in its AWS account: by its stack, which may have a name of its own, and its place
 * in it.
 */
export const deploymentOf = (construct: Construct): string => {
  const stack = Stack.of(construct);
  const placeInStack = construct.node.path.slice(stack.node.path.length);
  const deployment = `${givenName(stack) ?? placeOf(stack.node.path)}${placeOf(placeInStack)}`;
  if (deployment.length > maxLength)
    throw new Error(`Callfeed at ${construct.node.path}: stack and path may have ${maxLength} characters at most`);

  return deployment;
};
