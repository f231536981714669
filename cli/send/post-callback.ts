import { Problem } from '../problem.ts';

/** What a deployment answered. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Posts a callback as the telephony service does, as the form field `data`. No error repeats the address: it may hold a secret. */
export const postCallback = async (address: string, data: string, timeoutSeconds: number): Promise<Reply> => {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ data }),
      redirect: 'manual',
      signal,
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    throw new Problem(
      signal.aborted
        ? `No answer came in ${timeoutSeconds} seconds.`
        : 'The deployment cannot be reached over the network.',
    );
  }
};
