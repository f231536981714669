/* The SDK's credential chain in deployed bundles: Lambda passes credentials in the environment. Saves 95 KB. */

// biome-ignore lint/correctness/noUndeclaredDependencies: comes with every AWS client, in the version that fits them.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
