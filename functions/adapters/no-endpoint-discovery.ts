/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery` in the deployed bundles. DynamoDB's client looks up addresses only if it
 * is told to, which no function does. The middleware came with a cache of two packages.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

/** Leaves the settings of the client as they are. */
export const resolveEndpointDiscoveryConfig = <Settings>(settings: Settings): Settings => settings;
