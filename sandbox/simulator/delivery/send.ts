/** What became of a request: an HTTP status, or why there is none. */
export type Answer = number | 'timeout' | 'network' | 'stopped';

/** A request as it is sent; `url` is whole. */
export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request and waits for the whole answer. Never throws: every failure has a name. */
export const send = async (
  { method, url, contentType, body }: Request,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<Answer> => {
  try {
    const response = await fetch(url, {
      method,
      // A connection of its own for every post, as a service that posts now and then has it, and none left at the end.
      headers: { connection: 'close', ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMilliseconds)]),
      ...(body === undefined ? {} : { body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (stopped.aborted) return 'stopped';
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'network';
  }
};
