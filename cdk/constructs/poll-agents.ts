import { Duration } from 'aws-cdk-lib';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import { queueSources } from '../../functions/event-sources.ts';
import type { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { callbackSilence, feedAge } from '../../functions/poll-agents/poll-agents.ts';
import { silenceGraceSeconds } from '../../functions/poll-agents/silence.ts';
import { scheduleMinutes, tickEntries } from '../../functions/poll-agents/ticks.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { QueueSchedule, serveQueue, transientQueue, visibilityTimeoutFor } from './event-sources.ts';
import { type Alarms, callfeedMetric } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';

export class PollAgents extends Construct {
  readonly service: ServiceFunction;
  readonly ticks: Queue;
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, agents, accounts } = core;
    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'poll-agents',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Polls the states of agents and stores the changes.',
      environment: {
        AGENTS_TABLE: agents.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
      } satisfies VariablesOf<typeof pollAgentsEnv>,
    });
    const { service } = this;
    service.allow(agents.tableArn, 'Reads the agents when a new process starts.', 'dynamodb:Query');
    // A transaction needs the permissions of its single writes.
    const written = 'Writes the changes of agents and their history.';
    service.allow(agents.tableArn, written, 'dynamodb:PutItem', 'dynamodb:BatchWriteItem');
    service.allow(agents.tableArn, 'Removes the rows of agents who logged out.', 'dynamodb:DeleteItem');
    service.allow(accounts.secretArn, 'Polls with the keys of the accounts.', 'secretsmanager:GetSecretValue');

    this.ticks = transientQueue(this, 'Ticks', deploymentContext, {
      retentionPeriod: Duration.seconds(queueSources['poll-agents'].retentionSeconds),
      visibilityTimeout: visibilityTimeoutFor('poll-agents'),
      whyNoDeadLetters: 'A tick is worthless once its slot is over, and the next tick follows.',
    });
    // The ticks of two minutes at once, each delayed to its slot, because a schedule runs at most once a minute.
    const perMinute = Duration.minutes(scheduleMinutes);
    new QueueSchedule(this, 'EveryMinute', {
      deploymentContext,
      queue: this.ticks,
      description: 'Ticks for the polls of a minute.',
      schedule: ScheduleExpression.rate(perMinute),
      request: { Entries: tickEntries },
      maxEventAge: perMinute,
      why: 'Sends ticks to their queue.',
    });
    this.outputs = { TickQueueUrl: [this.ticks.queueUrl, 'Queue of the ticks that start each poll of agents.'] };
    // Lambda accepts no less than two concurrent runs. The table prevents that both poll the same slot.
    serveQueue(service, { consumer: 'poll-agents', queue: this.ticks, maxConcurrency: 2 });

    const longest = { statistic: 'Maximum', minutes: 1 };
    this.alarms = {
      // Also raised if no run of the poller ends: because it crashes, gets no ticks, or has no accounts. Then no age is emitted.
      // CloudWatch looks at more than three minutes before it takes late data for missing.
      AgentsStale: {
        impact:
          'For at least one account, the agents that readers see are more than a minute old, or are not polled at all.',
        metric: callfeedMetric(deploymentContext, feedAge, longest),
        threshold: 60,
        periods: 3,
        raisedWithoutData: true,
      },
      // The poller sees agents end calls, and no callback comes. It is quiet where nobody calls, because it counts ended calls
      // and not the time alone.
      CallbacksSilent: {
        impact:
          'Agents end calls, and for at least one account no callback comes. Its calls are not recorded: most likely the callback address is broken.',
        metric: callfeedMetric(deploymentContext, callbackSilence, longest),
        threshold: silenceGraceSeconds,
      },
    };
  }
}
