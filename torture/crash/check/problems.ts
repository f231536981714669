import { AssertionError } from 'node:assert';

/** What a check that throws has to say, or nothing. */
export const problemOf = async (check: () => unknown): Promise<readonly string[]> => {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof AssertionError) return [error.message];
    throw error;
  }
};
