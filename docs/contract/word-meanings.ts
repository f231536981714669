import type { Vocabulary } from '../../lib/telephony/vocabularies.ts';
import * as vocabularies from '../../lib/telephony/vocabularies.ts';
import { agentStates } from '../../lib/telephony/vocabularies.ts';

/** What a word permits to conclude, and what it does not tell. */
export type Meaning = readonly [conclusion: string, notTold: string];

/** What is known about the words of a vocabulary. */
export interface Meanings {
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

const whose = 'Whose fault it was.';
const whyNot = 'Whether the customer could be reached at another time.';

/** The meanings of all words of the telephony service, by their vocabulary. */
export const wordMeanings: ReadonlyMap<Vocabulary<string>, Meanings> = new Map<Vocabulary<string>, Meanings>([
  meanings(
    vocabularies.callStatuses,
    'The specification calls this the call status and names `Answered` and `NotAnswered`. In the report the second is ' +
      '`Unanswered`.',
    {
      answered: [
        'Somebody or something answered the call, on one leg at least. It never becomes `not-answered` again.',
        'That an agent spoke: a call that a menu handled (`ivr`) is answered too, without an agent or a recording.',
      ],
      'not-answered': [
        'No leg that is known was answered.',
        'Who gave up: that is `hangupBy`. Whether an agent’s telephone rang: that is `agentStatuses`. Whether the customer ' +
          'left a message: a voice mail is not answered and has a recording. Whether a customer waits for a call back: a ' +
          'customer who did not take an outgoing call does not. See [the rules](#missed-abandoned-and-free).',
      ],
    },
  ),
  meanings(
    vocabularies.callTypes,
    'The specification names these types and defines none. The meanings are those of the trade, and fit what was observed.',
    {
      progressive: ['Outgoing: the dialler called for an agent who was free.', 'Whether the customer wanted the call.'],
      inbound: ['A customer called.', 'Whether the call reached a queue or an agent.'],
      manual: ['Outgoing: an agent dialled.', 'Whether the number came from a list.'],
      preview: [
        'Outgoing: an agent saw the customer’s data first, and then the call was made.',
        'Who started the dialling.',
      ],
      mail: ['A mail that was handled like a call.', 'Anything about telephones: statuses and times may be absent.'],
      ivr: [
        'A customer called, and the menu handled the call. Observed as answered.',
        'Whether the customer wanted an agent.',
      ],
      chat: ['A chat that was handled like a call.', 'Anything about telephones: statuses and times may be absent.'],
      predictive: [
        'Outgoing: the dialler called before an agent was free.',
        'Whether an agent was there when the customer answered.',
      ],
    },
  ),
  meanings(vocabularies.campaignStatuses, 'The specification names both words and defines none.', {
    online: [
      'The campaign was switched on.',
      'Whether an agent was logged in. As of when: of the call or of the post.',
    ],
    offline: ['The campaign was switched off.', 'As of when: a call can have come before.'],
  }),
  meanings(
    vocabularies.outcomes,
    'One word for each attempt to reach somebody: an agent in `agentStatuses`, the customer in `customerStatuses`. ' +
      'The specification calls `dialStatuses` the telephony response. It names words and defines none, and practice has most ' +
      'of them in each field. The meanings are those of telephony. None of these words decides whether the call was ' +
      'answered: that is `status`.',
    {
      answered: [
        'This side answered.',
        'That both sides spoke: a customer who called and waits in vain is `answered` too.',
      ],
      'not-answered': ['The telephone rang and nobody took the call.', 'Who gave up.'],
      'not-dialled': [
        'This side was not called. Of an agent: the call never rang at one.',
        'Why: nobody was free, the customer gave up first, or a menu handled the call.',
      ],
      dialling: ['The number was being dialled when the attempt ended.', 'Whether it rang.'],
      ring: ['The telephone was ringing when the attempt ended.', 'Who ended it.'],
      busy: ['The line was engaged.', 'By what.'],
      rejected: ['The call was declined.', 'By a person or by the network.'],
      'no-response': ['The other side’s network or telephone did not respond.', 'Whether it rang.'],
      'max-dial-time-exceeded': ['The longest time for ringing was over.', 'How long that is: the campaign’s setting.'],
      'queue-time-exceeded': [
        'The longest time in the queue was over. A parameter, as in `QTimeExceeded{60}`, has its seconds.',
        'What came next: see `fallbackSteps`.',
      ],
      'user-disconnected': [
        'The customer hung up during this attempt.',
        'That the call is abandoned: it may have been answered before or on another leg.',
      ],
      'agent-disconnected': [
        'The agent’s side ended the attempt.',
        'Whether by intent: a lost connection looks the same.',
      ],
      'invalid-number': ['The network does not know the number.', 'Whether it existed before.'],
      'invalid-number-format': ['The number cannot be dialled as it is written.', 'Whether it exists.'],
      'blocked-number': ['The number is blocked.', 'By whom.'],
      'do-not-disturb': ['The number does not take such calls.', 'Whether a public register or the telephone says so.'],
      'isd-disabled': [
        'International calls are switched off for the account or the line.',
        'Whether the number exists.',
      ],
      'subscriber-absent': ['The mobile telephone is switched off or out of reach.', 'For how long.'],
      'no-route-destination': ['The network found no way to the number.', whose],
      congestion: ['The network was full.', whyNot],
      'network-out-of-order': ['The network failed.', whyNot],
      'recovery-on-timer-expiry': ['The network waited too long for a response, and gave up.', whyNot],
      'authentication-error': ['The telephony service was rejected by the next network.', whyNot],
      exception: ['The telephony service failed in this attempt.', whyNot],
      'normal-unspecified': [
        'The call ended in an ordinary way, and the network gave no reason.',
        'Whether it was answered.',
      ],
      failed: ['The attempt failed.', 'Why.'],
      success: ['The attempt succeeded. Seen with participants.', 'Whether anybody spoke.'],
    },
  ),
  meanings(vocabularies.hangupParties, 'The specification names all three and defines none.', {
    user: ['The customer’s side ended the call.', 'Whether by intent: a lost connection looks the same.'],
    agent: ['The agent’s side ended the call.', 'Whether by intent: a lost connection looks the same.'],
    system: [
      'Neither of them: the telephony service ended the call, for example when a longest waiting time was over.',
      'Which of its rules ended it, and whether the customer would have waited longer.',
    ],
  }),
  meanings(vocabularies.transferTypes, 'The specification names the first three. Samples have the last.', {
    agent: ['To another agent. The call stays one call and lists both agents.', 'Whether the other agent answered.'],
    skill: [
      'To another skill. The service reports the rest as a second call, whose `linkedCallId` is this one.',
      'Whether anybody there answered: see the second call.',
    ],
    'phone-number': ['To a telephone number, which `transferredTo` has.', 'Whether anybody there answered.'],
    'no-transfer': ['The call was not transferred.', 'Whether there was a conference.'],
  }),
  meanings(
    agentStates,
    'The specification names `READY`, `ACW` and `Idle` and defines none. The others occur in practice. A state is that of the ' +
      'latest poll, so up to 15 seconds old while the feed is live.',
    {
      ready: [
        '**Free**: the agent can be given a call now. The only such state.',
        'Whether the next call comes here: skills decide, and the agent may have got one since the poll.',
      ],
      acw: [
        'Not free: after-call work, such as writing the disposition.',
        'How long it takes: the account sets a limit.',
      ],
      idle: [
        'Not free, as far as is known: logged in, and not reported as ready.',
        'Why the agent is not ready, and whether the service would give a call to the agent. It names this state beside ' +
          '`READY`, so the two differ; how is not documented.',
      ],
      busy: ['Not free: occupied.', 'With what. `INCALL` exists beside it, so it need not be a call.'],
      'in-call': ['Not free: in a call.', 'In which, and with whom. Its summary follows when it has ended.'],
      calling: ['Not free: a call to or from the agent is being set up.', 'Whether it will be answered.'],
      aux: ['Not free: other work or a break.', 'Which.'],
      pause: ['Not free: a break.', 'The reason, and when it ends.'],
      release: ['Not free: the agent takes no calls.', 'Why. Observed only; no description exists.'],
      offline: [
        'Not free: listed as logged in, but not online.',
        'Whether the agent’s telephone can be reached. Observed only; no description exists.',
      ],
    },
  ),
]);
