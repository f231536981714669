import * as z from 'zod';

const BatchResponse = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() });

/**
 * The items a function reports as failed, as Lambda reads its answer: nothing, or an empty list, means that all went
 * well; a list that names an unknown item, or an answer of another shape, means that all failed.
 */
export const failedItems = (answer: unknown, known: readonly string[]): readonly string[] => {
  if (answer === undefined || answer === null) return [];

  const response = BatchResponse.safeParse(answer);
  if (!response.success) return known;

  const failed = (response.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => known.includes(item)) ? failed : known;
};
