/** The region every local endpoint claims to be in; resources of the sandbox carry it in their ARNs. */
export const localRegion = 'local';

/** Settings of an AWS client that talks to a local endpoint. The credentials are made up: nothing here checks them. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region: localRegion,
  credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
});
