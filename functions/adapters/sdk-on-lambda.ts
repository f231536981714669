/*
 * Replaces parts of the SDK in the deployed bundles, under the names that the AWS clients import: what looks for something
 * that Lambda does not have, or that no function uses.
 */

/**
 * Instead of the credential chain of `@aws-sdk/credential-provider-node`. Lambda passes credentials in the environment, so
 * the chain's other links (SSO, STS, profiles, instance metadata) would be some 95 KB that never run.
 */
// biome-ignore lint/correctness/noUndeclaredDependencies: comes with every AWS client, in the version that fits them.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';

/**
 * Instead of that of `node:fs/promises`, from which the SDK alone imports a function, to look for profiles. Lambda has none, and
 * the SDK goes on without. To load the module of Node takes 1.5 ms of a cold start.
 */
export const readFile = async (path: string): Promise<never> => {
  throw new Error(`Lambda has no profiles, so ${path} was not read`);
};

/**
 * Instead of `@aws-sdk/middleware-endpoint-discovery`, an optional way of DynamoDB's client to find addresses. No function
 * turns it on, and it comes with a cache of two packages: 2 % of the processor time of a start.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

/** Leaves the settings of the client as they are. */
export const resolveEndpointDiscoveryConfig = <Settings>(settings: Settings): Settings => settings;
