import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { Clients } from './clients.ts';
import { stackName } from './deployment.ts';

/** The physical ids of the stack's resources of a type, or of those whose logical ids begin with a text. */
export const stackResources = async (
  { cloudFormation: client }: Pick<Clients, 'cloudFormation'>,
  type: string,
  beginning = '',
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName }))
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries)
      if (ResourceType === type && LogicalResourceId.startsWith(beginning)) ids.push(PhysicalResourceId);
  return ids;
};

/** The name of the one function below a construct. */
export const functionOf = async (clients: Clients, construct: string): Promise<string> => {
  const [name, ...others] = await stackResources(clients, 'AWS::Lambda::Function', `Callfeed${construct}`);
  if (name === undefined || others.length > 0) throw new Error(`The stack has no single function below ${construct}`);
  return name;
};
