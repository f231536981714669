import { type Handle, type Served, serve } from '../../sandbox/http/serve.ts';
import { localClient } from '../../sandbox/local-client.ts';

/** Serves a local AWS endpoint, and gives settings for an AWS client that talks to it and tries but once. */
export const serveForTest = async (
  handle: Handle,
): Promise<Served & { readonly client: ReturnType<typeof localClient> & { readonly maxAttempts: 1 } }> => {
  const served = await serve(handle);

  return { ...served, client: { ...localClient(served.url), maxAttempts: 1 } };
};
