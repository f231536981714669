import { ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { until } from '../runner/until.ts';
import type { Clients } from './clients.ts';

/** Does something while nothing of its queue reaches a function, and lets it be woken again whatever happens. */
export const whileNotWoken = async (
  { lambda }: Clients,
  FunctionName: string,
  act: () => Promise<void>,
): Promise<void> => {
  const mapping = async () => {
    const list = await lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
    return list.EventSourceMappings?.[0];
  };
  const UUID = (await mapping())?.UUID;
  const enable = async (Enabled: boolean): Promise<void> => {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    await until(
      `the queue of ${FunctionName} is ${Enabled ? 'read' : 'left alone'}`,
      async () => (await mapping())?.State,
      (state) => state === (Enabled ? 'Enabled' : 'Disabled'),
    );
  };

  await enable(false);
  try {
    await act();
  } finally {
    await enable(true);
  }
};
