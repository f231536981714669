import * as z from 'zod';
import { answerKinds } from './answer-quirks.ts';

/** The body of `POST /_simulator/answers`: what getAgentLogins answers next, where its answer would be a good one. */
export const AnswersRequest = z.strictObject({
  kind: z.enum(answerKinds),
  /** How many answers. */
  count: z.int().min(1).max(1000).default(1),
  /** Only those to this account. */
  account: z.string().min(1).optional(),
  /** How long `slow` takes. */
  seconds: z.number().min(0).max(600).default(20),
  /** Where `redirect` leads; nobody is there unless told. */
  location: z.url().default('http://127.0.0.1:9/ca_apis/getAgentLogins'),
});
export type AnswersRequest = z.infer<typeof AnswersRequest>;
