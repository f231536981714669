import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { until } from '../runner/until.ts';
import type { Clients } from './clients.ts';

type Variables = Readonly<Record<string, string>>;

/** Does something while a function's environment has other values, and puts the right ones back whatever happens. */
export const whileSet = async (
  { lambda }: Clients,
  FunctionName: string,
  changed: Variables,
  act: () => Promise<void>,
): Promise<void> => {
  const configuration = () => lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const set = async (variables: Variables): Promise<void> => {
    const Environment = { Variables: { ...variables } };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
    await until(
      `the settings of ${FunctionName} are in force`,
      async () => (await configuration()).LastUpdateStatus,
      (status) => status === 'Successful',
    );
  };

  const right = (await configuration()).Environment?.Variables ?? {};
  await set({ ...right, ...changed });
  try {
    await act();
  } finally {
    await set(right);
  }
};
