import { defaultStack } from '../options.ts';
import type { DeploymentLocation } from './deployment.ts';

/** The options that name a deployment to a command; empty for the default stack. */
export const locationOptions = ({ stack, endpoint, region, profile }: DeploymentLocation): string =>
  [
    ...(endpoint === undefined ? [] : [` --endpoint ${endpoint}`]),
    ...(endpoint !== undefined || stack === defaultStack ? [] : [` --stack ${stack}`]),
    ...(region === undefined ? [] : [` --region ${region}`]),
    ...(profile === undefined ? [] : [` --profile ${profile}`]),
  ].join('');

/** A command for the same deployment. */
export const commandLine = (location: DeploymentLocation, command: string): string =>
  `callfeed ${command}${locationOptions(location)}`;
