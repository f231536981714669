import type { SQSEvent } from 'aws-lambda';

interface Account {
  readonly userName: string;
  readonly apiKeys: readonly string[];
  readonly baseUrl: string;
}

/** Polls every account once for a batch of ticks, and writes who is logged in. */
export const handler = async ({ Records }: SQSEvent) => {
  const accounts: readonly Account[] = JSON.parse(process.env['CALLFEED_ACCOUNTS'] ?? '[]');
  for (const { userName, apiKeys, baseUrl } of accounts) {
    const answer = await fetch(`${baseUrl}/ca_apis/getAgentLogins`, {
      method: 'POST',
      headers: { apiKey: apiKeys[0] ?? '' },
      body: JSON.stringify({ userName }),
    });
    const { message } = (await answer.json()) as { message: readonly { AgentId: string }[] };
    process.stdout.write(
      `polled ${userName} by ${Records.map(({ body }) => body)}: ${message.map(({ AgentId }) => AgentId)}\n`,
    );
  }
};
