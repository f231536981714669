import type { Template } from 'aws-cdk-lib/assertions';
import { only, type Properties } from '../resources.ts';
import type { Run } from './datum.ts';

/** The deployment to which things happen. */
export interface Deployed {
  readonly deployment: string;
  readonly queue: Properties;
  readonly subscriptions: Readonly<Record<'Calls' | 'Agents', Properties>>;
  /** How the API writes its log, and what is counted in it. */
  readonly accessLog: { readonly format: string; readonly filter: Properties };
}

/** Something that goes wrong. */
export interface Happening {
  /** What it is, as a sentence. */
  readonly what: string;
  /** Runs the real code under it. */
  readonly cause: (of: Deployed) => Promise<Run>;
}

/** The fault that an alarm is there for. */
export interface Fault extends Happening {
  readonly alarm: string;
  /** What comes close to it, and is none of this alarm's. */
  readonly near: readonly Happening[];
}

/** The parts of a synthesised deployment that decide what happens to it. */
export const deployedBy = (template: Template): Deployed => {
  const { Environment } = only(template, 'AWS::Lambda::Function', 'ReceiveCallback');

  return {
    deployment: Environment.Variables.DEPLOYMENT,
    queue: only(template, 'AWS::SQS::Queue', 'ParkingQueue'),
    subscriptions: {
      Calls: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionCalls'),
      Agents: only(template, 'AWS::Lambda::EventSourceMapping', 'PublishChangesServiceFunctionAgents'),
    },
    accessLog: {
      format: only(template, 'AWS::ApiGatewayV2::Stage', 'Api')['AccessLogSettings'].Format,
      filter: only(template, 'AWS::Logs::MetricFilter', 'Api'),
    },
  };
};
