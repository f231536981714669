import { Problem } from '../problem.ts';
import type { StackOutputs } from './stack-outputs.ts';
import type { Where } from './where.ts';

/** What of the archive is asked for, and where it is. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly where: Pick<Where, 'region' | 'profile'>;
}

/** The command of the AWS CLI that has EventBridge send the archived events of some time once more. */
export const replayCommand = (
  { EventArchiveArn, BusArn }: Pick<StackOutputs, 'EventArchiveArn' | 'BusArn'>,
  { from, to, where: { region, profile } }: Asked,
): string => {
  if (EventArchiveArn === undefined) throw new Problem('This deployment has no archive of events (setting leaveOut).');

  return [
    `aws events start-replay --replay-name callfeed-${from.replace(/\D/g, '')}`,
    `--event-source-arn ${EventArchiveArn}`,
    `--event-start-time ${from} --event-end-time ${to}`,
    `--destination '${JSON.stringify({ Arn: BusArn })}'`,
    ...(region === undefined ? [] : [`--region ${region}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ].join(' ');
};
