import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface QueuePerTeamProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
  /** The skills of each team. A skill of two teams would send its calls to both, so it throws. */
  readonly teams: Readonly<Record<string, readonly string[]>>;
}

/** Sends each call to the queue of the team that has its skill, and every other call to the queue `Rest`. */
export class QueuePerTeamStack extends Stack {
  constructor(scope: Construct, id: string, { stage, teams }: QueuePerTeamProps) {
    super(scope, id);

    const skills = Object.values(teams).flat();
    const shared = skills.filter((skill, index) => skills.indexOf(skill) !== index);
    if (shared.length > 0) throw new Error(`More than one team has the skill ${shared.join(', ')}.`);

    const deadLetters = new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    const queueFor = (name: string, skillName: SkillCondition): void => {
      const queue = new Queue(this, name, {
        enforceSSL: true,
        retentionPeriod: Duration.days(4),
        deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
      });
      const target = new SqsQueue(queue, { deadLetterQueue: deadLetters });
      callfeed.onCallRecorded(target, { id: `${name}Calls`, where: { call: { skillName } } });
      new CfnOutput(this, `${name}QueueUrl`, { value: queue.queueUrl });
    };

    for (const [team, ofTeam] of Object.entries(teams)) queueFor(team, ofTeam);
    // A new skill, a misspelt one, or none: a matcher of absence alone misses the first two, `anything-but` the last.
    queueFor('Rest', [{ 'anything-but': skills }, { exists: false }]);
  }
}

/** Skills by name, or what EventBridge is to match. */
type SkillCondition = readonly (
  | string
  | { readonly 'anything-but': readonly string[] }
  | { readonly exists: boolean }
)[];
