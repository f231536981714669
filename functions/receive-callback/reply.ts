import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Refusal } from '../../lib/callback/receipt.ts';
import { answers } from '../../lib/callback/refusal.ts';

/** A JSON answer. */
export const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/** The answer to a post that is refused: the reason as a word to test for, and a sentence for the reader. */
export const refused = ({ reason, ...counts }: Refusal): APIGatewayProxyStructuredResultV2 => {
  const { status, message } = answers[reason];
  return reply(status, { error: reason, message, ...counts });
};
