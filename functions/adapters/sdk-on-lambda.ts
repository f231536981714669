/*
 * Replaces the SDK's credential chain, `@aws-sdk/credential-provider-node`, in the deployed bundles. Lambda passes credentials
 * in the environment, so the chain's other links (SSO, STS, profiles, instance metadata) would be some 95 KB that never run.
 */

// biome-ignore lint/correctness/noUndeclaredDependencies: comes with every AWS client, in the version that fits them.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
