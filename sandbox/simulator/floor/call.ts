import type { Campaign, Engagement } from './floor.ts';
import type { Scenario } from './scenarios.ts';

/** A call from its first ring to its wrap-up. Instants in milliseconds since the epoch, always whole seconds. */
export interface Call {
  /** The service's id, 14 to 20 digits. */
  readonly id: string;
  /** The leg's own id, digits. */
  readonly legId: string;
  /** The id of the dialled list's entry. */
  readonly entryId: string;
  readonly scenario: Scenario;
  readonly type: string;
  readonly customer: string;
  readonly campaign: Campaign;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ringSeconds: number;
  readonly talkSeconds: number;
  readonly holdSeconds: number;
  readonly wrapUpSeconds: number;
  readonly conferenceSeconds: number;
  /** In the order in which the agents took part. */
  readonly engagements: readonly Engagement[];
  /** What was said about the call: by the telephone network, by the agents, by the caller. */
  readonly words: Words;
  readonly transferredTo: string;
  /** Text that travels with the call; a skill transfer is linked by it. */
  readonly userText: string;
}

/** The words of a call; `disposition` and `comments` are empty where no agent wrote any. */
export interface Words {
  readonly agentStatus: string;
  readonly customerStatus: string;
  readonly dialStatus: string;
  readonly hangupBy: string;
  readonly fallBackRule: string;
  readonly disposition: string;
  readonly comments: string;
}
