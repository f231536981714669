import * as z from 'zod';
import { startLambda } from '../lambda/start-lambda.ts';
import type { Contestant } from './contestants.ts';

/** How long one start took, in milliseconds from the start of the process. */
export interface Started {
  /** Until it asks for work. */
  readonly readyMs: number;
  /** Until its first reply. */
  readonly replyMs: number;
  readonly rssBytes: number;
}

const Done = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ batchItemFailures: z.array(z.unknown()).max(0) }),
]);

/** Starts a bundle, gives it its first event, and ends it. Throws if it does not do what it should. */
export const startOnce = async ({ folder, environment, event, name }: Contestant, awsUrl: string): Promise<Started> => {
  const process = await startLambda({ folder, environment: environment(awsUrl) });
  try {
    const { result, error, ms, rssBytes } = await process.invoke(event());
    if (error !== undefined || !Done.safeParse(result).success)
      throw new Error(`${name} did not do its first work: ${JSON.stringify(error ?? result)}`);
    return { readyMs: process.readyMs, replyMs: process.readyMs + ms, rssBytes };
  } finally {
    await process.stop();
  }
};
