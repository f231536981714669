import { startDynamodb } from '../sandbox/dynamodb/dynamodb-process.ts';

/** Does something with a DynamoDB Local of its own, at an address, which ends with it. */
export const withDynamodb = async <Result>(act: (endpoint: string) => Promise<Result>): Promise<Result> => {
  const { endpoint, stop } = await startDynamodb({ port: 0 });
  try {
    return await act(endpoint);
  } finally {
    await stop();
  }
};
