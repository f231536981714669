import type { Vocabulary } from '../../lib/telephony/vocabularies.ts';
import * as vocabularies from '../../lib/telephony/vocabularies.ts';
import { agentStates } from '../../lib/telephony/vocabularies.ts';

/** What a word permits to conclude, and what one might conclude wrongly. */
type Meaning = readonly [conclusion: string, notSaid?: string];

/** What is known about the words of a vocabulary. */
interface Meanings {
  /** What the specification says about the field. */
  readonly documented: string;
  readonly byWord: Readonly<Record<string, Meaning>>;
}

/** A word that is added to a vocabulary does not compile without its meaning here. */
const meanings = <Word extends string>(
  vocabulary: Vocabulary<Word>,
  documented: string,
  byWord: Readonly<Record<Word, Meaning>>,
) => [vocabulary, { documented, byWord }] as const;

/** The meanings of all words of the telephony service, by their vocabulary. */
export const wordMeanings: ReadonlyMap<Vocabulary<string>, Meanings> = new Map<Vocabulary<string>, Meanings>([
  meanings(vocabularies.callStatuses, 'documented are `Answered` and `NotAnswered`. The report has `Unanswered`.', {
    answered: [
      'Somebody or something answered the call, on one leg at least. It never becomes `not-answered` again.',
      'That an agent spoke: a call that a menu handled (`ivr`) is answered too.',
    ],
    'not-answered': [
      'No leg that is known was answered.',
      'Who gave up (`hangupBy`), whether an agent’s telephone rang (`agentStatuses`), or whether a customer waits for a ' +
        'call back: see [the rules](#missed-abandoned-and-free).',
    ],
  }),
  meanings(
    vocabularies.callTypes,
    'named and not defined by the specification. The meanings are usual ones, and fit what was observed.',
    {
      progressive: ['Outgoing: the dialler called for an agent who was free.', 'Whether the customer wanted the call.'],
      inbound: ['A customer called.', 'Whether the call reached a queue or an agent.'],
      manual: ['Outgoing: an agent dialled.'],
      preview: [
        'Outgoing: an agent saw the customer’s data first, and then the call was made.',
        'Who started the dialling.',
      ],
      mail: ['A mail that was handled like a call.', 'Anything about telephones.'],
      ivr: [
        'A customer called, and the menu handled the call. Observed as answered.',
        'Whether the customer wanted an agent.',
      ],
      chat: ['A chat that was handled like a call.', 'Anything about telephones.'],
      predictive: [
        'Outgoing: the dialler called before an agent was free.',
        'Whether an agent was there when the customer answered.',
      ],
    },
  ),
  meanings(vocabularies.campaignStatuses, 'named and not defined.', {
    online: [
      'The campaign was switched on.',
      'Whether an agent was logged in. As of when: of the call or of the post.',
    ],
    offline: ['The campaign was switched off.', 'As of when: a call can have come before.'],
  }),
  meanings(
    vocabularies.outcomes,
    'one word for each attempt to reach somebody: an agent in `agentStatuses`, the customer in `customerStatuses`; in ' +
      '`dialStatuses` the telephony response. Most are named and none is defined; the meanings are usual in telephony. None ' +
      'decides whether the call was answered: that is `status`.',
    {
      answered: [
        'This side answered.',
        'That both sides spoke: a customer who called and waits in vain is `answered` too.',
      ],
      'not-answered': ['The telephone rang and nobody took the call.'],
      'not-dialled': [
        'This side was not called. Of an agent: the call never rang at one.',
        'Why: nobody was free, the customer gave up first, or a menu handled the call.',
      ],
      dialling: ['The number was being dialled when the attempt ended.'],
      ring: ['The telephone was ringing when the attempt ended.'],
      busy: ['The line was engaged.'],
      rejected: ['The call was declined.', 'Whether by a person or by the network.'],
      'no-response': ['The other side’s network or telephone did not respond.'],
      'max-dial-time-exceeded': ['The longest time for ringing was over.'],
      'queue-time-exceeded': [
        'The longest time in the queue was over. A parameter, as in `QTimeExceeded{60}`, has its seconds.',
        'What came next: see `fallbackSteps`.',
      ],
      'user-disconnected': [
        'The customer hung up during this attempt.',
        'That the call is abandoned: it may have been answered before or on another leg.',
      ],
      'agent-disconnected': ['The agent’s side ended the attempt, perhaps by a lost connection.'],
      'invalid-number': ['The network does not know the number.'],
      'invalid-number-format': ['The number cannot be dialled as it is written.'],
      'blocked-number': ['The number is blocked.'],
      'do-not-disturb': ['The number does not take such calls.'],
      'isd-disabled': ['International calls are switched off for the account or the line.'],
      'subscriber-absent': ['The mobile telephone is switched off or out of reach.'],
      'no-route-destination': ['The network found no way to the number.'],
      congestion: ['The network was full.'],
      'network-out-of-order': ['The network failed.'],
      'recovery-on-timer-expiry': ['The network waited too long for a response, and gave up.'],
      'authentication-error': ['The telephony service was rejected by the next network.'],
      exception: ['The telephony service failed in this attempt.'],
      'normal-unspecified': [
        'The call ended in an ordinary way, and the network gave no reason.',
        'Whether it was answered.',
      ],
      failed: ['The attempt failed.'],
      success: ['The attempt succeeded. Seen with participants.', 'Whether anybody spoke.'],
    },
  ),
  meanings(vocabularies.hangupParties, 'named and not defined.', {
    user: ['The customer’s side ended the call, perhaps by a lost connection.'],
    agent: ['The agent’s side ended the call, perhaps by a lost connection.'],
    system: [
      'Neither of them: the telephony service ended the call, for example after a longest waiting time.',
      'Which of its rules ended it, and whether the customer would have waited longer.',
    ],
  }),
  meanings(vocabularies.transferTypes, 'the first three are documented, and samples have the last.', {
    agent: ['To another agent. The call stays one call and lists both agents.', 'Whether the other agent answered.'],
    skill: [
      'To another skill. The service reports the rest as a second call, whose `linkedCallId` is this one.',
      'Whether anybody there answered: see the second call.',
    ],
    'phone-number': ['To a telephone number, which `transferredTo` has.', 'Whether anybody there answered.'],
    'no-transfer': ['The call was not transferred.'],
  }),
  meanings(
    agentStates,
    '`READY`, `ACW` and `Idle` are named and not defined. The others occur in practice. A state is as of the latest poll, so up to ' +
      '15 seconds old while the feed is live. `logged-out` is an agent who is no longer in the list.',
    {
      ready: [
        '**Free**: the agent can be given a call now. The only such state.',
        'Whether the next call comes here: skills decide, and the agent may have got one since the poll.',
      ],
      acw: ['Not free: after-call work, such as writing the disposition.'],
      idle: [
        'Not free, as far as is known: logged in, and not reported as ready.',
        'Whether the service would give a call to the agent. It names this state beside `READY`; how the two differ is not documented.',
      ],
      busy: ['Not free: occupied.', 'With what. `INCALL` exists beside it, so it need not be a call.'],
      'in-call': ['Not free: in a call.', 'In which, and with whom. Its summary follows when it has ended.'],
      calling: ['Not free: a call to or from the agent is being set up.', 'Whether it will be answered.'],
      aux: ['Not free: other work or a break.'],
      pause: ['Not free: a break.'],
      release: ['Not free: the agent takes no calls.', 'Why: it was observed only.'],
      offline: [
        'Not free: listed as logged in, but not online.',
        'Whether the agent’s telephone can be reached: it was observed only.',
      ],
    },
  ),
]);
