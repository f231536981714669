import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Clients } from './clients.ts';
import { stackResources } from './stack-resources.ts';

/** Every line in the logs of the stack, in the order of time within each log. */
export const logLines = async ({ clients }: { readonly clients: Clients }): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const logGroupName of await stackResources(clients, 'AWS::Logs::LogGroup'))
    for await (const { events = [] } of paginateFilterLogEvents({ client: clients.logs }, { logGroupName }))
      lines.push(...events.map(({ message = '' }) => message));
  return lines;
};
