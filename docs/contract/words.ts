import * as z from 'zod';
import { eventSchemas } from '../../lib/contract/events.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import * as vocabularies from '../../lib/telephony/vocabularies.ts';
import { agentStates, loggedOut, type Vocabulary, wordText } from '../../lib/telephony/vocabularies.ts';
import { titleOf } from './field-tables.ts';
import { code } from './markdown.ts';
import { storedRows } from './schemas.ts';

/** A field with a closed set of words, and the schema that it is in. */
interface WordField {
  readonly name: string;
  readonly of: string;
  readonly words: readonly string[];
}

/** The fields that hold words, at any depth of a schema. */
const wordFields = (declared: z.core.$ZodType, name = '', of = ''): readonly WordField[] => {
  const schema = unwrapped(declared);
  if (schema instanceof z.core.$ZodArray) return wordFields(schema._zod.def.element, name, of);
  if (schema instanceof z.core.$ZodEnum) return [{ name, of, words: [...schema._zod.values].map(String) }];
  if (!(schema instanceof z.core.$ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema._zod.def.shape).flatMap(([field, inner]) =>
    wordFields(inner, field, titleOf(schema) || of),
  );
};

const allWordFields = (): readonly WordField[] =>
  [...Object.values(eventSchemas), ...Object.values(storedRows)].flatMap((schema) => wordFields(schema));

/** Words of ours that stand beside the words of a vocabulary. */
const beside = new Set<string>(['unknown', loggedOut]);

const isOf =
  ({ words }: Vocabulary<string>) =>
  (field: WordField): boolean =>
    field.words.filter((word) => !beside.has(word)).join() === words.join();

/** Letter case, blanks, hyphens and underscores make no difference. */
const folded = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const listOf = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** The words that come from the telephony service: a list for each vocabulary, with what each word means. */
export const serviceWordLists = (): string =>
  [...wordMeanings]
    .flatMap(([vocabulary, { documented, byWord }]) => [
      `${listOf(
        allWordFields()
          .filter(isOf(vocabulary))
          .map(({ name }) => code(name)),
      )}: ${documented}`,
      vocabulary.words
        .map((word) => {
          const sent = (vocabulary.spellings[word] ?? []).filter((one) => folded(one) !== folded(word)).map(code);
          const shown = wordText(word) === word.replaceAll('-', ' ') ? '' : `, shown as “${wordText(word)}”`;
          return `- ${code(word)}${sent.length === 0 ? '' : `, sent as ${sent.join(', ')}`}${shown}: ${byWord[word]}`;
        })
        .join('\n'),
    ])
    .join('\n\n');

/** The closed sets of words that are Callfeed’s own, with the fields that use them. */
export const ownWordList = (): string => {
  const own = allWordFields().filter(
    (field) => ![...wordMeanings.keys()].some((vocabulary) => isOf(vocabulary)(field)),
  );
  const bySet = Map.groupBy(own, ({ words }) => words.map(code).join(', '));
  return [...bySet]
    .map(([words, fields]) => {
      const [names, schemas] = [fields.map(({ name }) => code(name)), fields.map(({ of }) => of)].map(listOf);
      return `- ${names} (${schemas}): ${words}`;
    })
    .join('\n');
};

/** What is known about the words of a vocabulary. */
interface Meanings {
  /** What the specification says about the field. */
  readonly documented: string;
  /** What each word permits to conclude, and what one might conclude wrongly. */
  readonly byWord: Readonly<Record<string, string>>;
}

/** A word that is added to a vocabulary does not compile without its meaning here. */
const meanings = <Word extends string>(
  vocabulary: Vocabulary<Word>,
  documented: string,
  byWord: Readonly<Record<Word, string>>,
) => [vocabulary, { documented, byWord }] as const;

/** The meanings of all words of the telephony service, by their vocabulary. */
const wordMeanings: ReadonlyMap<Vocabulary<string>, Meanings> = new Map<Vocabulary<string>, Meanings>([
  meanings(vocabularies.callStatuses, '`Answered` and `NotAnswered` are documented. The report has `Unanswered`.', {
    answered:
      'Somebody or something answered the call, on one leg at least: perhaps no agent but a menu (`ivr`). It never becomes ' +
      '`not-answered` again.',
    'not-answered':
      'No leg that is known was answered. It does not say who gave up (`hangupBy`), whether an agent’s telephone rang ' +
      '(`agentStatuses`), or whether a customer waits for a call back: see [the rules](#missed-abandoned-and-free).',
  }),
  meanings(
    vocabularies.callTypes,
    'the specification names these and defines none. The meanings fit what was observed.',
    {
      progressive: 'Outgoing: the dialler called for an agent who was free.',
      inbound: 'A customer called. The call need not have reached a queue or an agent.',
      manual: 'Outgoing: an agent dialled.',
      preview: 'Outgoing: an agent saw the customer’s data first, and then the call was made.',
      mail: 'A mail that was handled like a call: statuses and times may be absent.',
      ivr: 'A customer called, and the menu handled the call. Observed as answered.',
      chat: 'A chat that was handled like a call: statuses and times may be absent.',
      predictive: 'Outgoing: the dialler called before an agent was free.',
    },
  ),
  meanings(
    vocabularies.campaignStatuses,
    'both are named and not defined. It is not known as of when: of the call or of the post.',
    {
      online: 'The campaign was switched on. An agent need not have been logged in.',
      offline: 'The campaign was switched off.',
    },
  ),
  meanings(
    vocabularies.outcomes,
    'one word for each attempt to reach somebody: an agent in `agentStatuses`, the customer in `customerStatuses`; in ' +
      '`dialStatuses` the telephony response. Most are named and none is defined; the meanings are usual in telephony. None ' +
      'decides whether the call was answered: that is `status`.',
    {
      answered: 'This side answered. A customer who called and waits in vain is `answered` too.',
      'not-answered': 'The telephone rang and nobody took the call.',
      'not-dialled':
        'This side was not called: nobody was free, the customer gave up first, or a menu handled the call.',
      dialling: 'The number was being dialled when the attempt ended.',
      ring: 'The telephone was ringing when the attempt ended.',
      busy: 'The line was engaged.',
      rejected: 'The call was declined, by a person or by the network.',
      'no-response': 'The other side’s network or telephone did not respond.',
      'max-dial-time-exceeded': 'The longest time for ringing was over.',
      'queue-time-exceeded': 'The longest time in the queue was over. A parameter has its seconds.',
      'user-disconnected':
        'The customer hung up during this attempt. The call may have been answered before, or on another leg.',
      'agent-disconnected': 'The agent’s side ended the attempt, perhaps by a lost connection.',
      'invalid-number': 'The network does not know the number.',
      'invalid-number-format': 'The number cannot be dialled as it is written.',
      'blocked-number': 'The number is blocked.',
      'do-not-disturb': 'The number does not take such calls.',
      'isd-disabled': 'International calls are switched off for the account or the line.',
      'subscriber-absent': 'The mobile telephone is switched off or out of reach.',
      'no-route-destination': 'The network found no way to the number.',
      congestion: 'The network was full.',
      'network-out-of-order': 'The network failed.',
      'recovery-on-timer-expiry': 'The network waited too long for a response, and gave up.',
      'authentication-error': 'The telephony service was rejected by the next network.',
      exception: 'The telephony service failed in this attempt.',
      'normal-unspecified': 'The call ended in an ordinary way, and the network gave no reason.',
      failed: 'The attempt failed.',
      success: 'The attempt succeeded. Seen with participants.',
    },
  ),
  meanings(vocabularies.hangupParties, 'all three are named and not defined.', {
    user: 'The customer’s side ended the call, perhaps by a lost connection.',
    agent: 'The agent’s side ended the call, perhaps by a lost connection.',
    system: 'The telephony service ended the call, for example after a longest waiting time.',
  }),
  meanings(vocabularies.transferTypes, 'the first three are documented, and samples have the last.', {
    agent: 'To another agent, who need not have answered. The call stays one call and lists both agents.',
    skill: 'To another skill. The service reports the rest as a second call, whose `linkedCallId` is this one.',
    'phone-number': 'To a telephone number, which `transferredTo` has, and which need not have answered.',
    'no-transfer': 'The call was not transferred.',
  }),
  meanings(
    agentStates,
    '`READY`, `ACW` and `Idle` are named and not defined. The others occur in practice. A state is as of the latest poll, so up to ' +
      '15 seconds old while the feed is live. `logged-out` is an agent who is no longer in the list.',
    {
      ready: '**Free**: the agent can be given a call now. The only such state.',
      acw: 'Not free: after-call work, such as writing the disposition.',
      idle:
        'Not free, as far as is known: logged in, and not reported as ready. The service names it beside `READY`; how the two ' +
        'differ is not documented.',
      busy: 'Not free: occupied, not necessarily with a call.',
      'in-call': 'Not free: in a call. Its summary follows when it has ended.',
      calling: 'Not free: a call to or from the agent is being set up.',
      aux: 'Not free: other work or a break.',
      pause: 'Not free: a break.',
      release: 'Not free: the agent takes no calls. It was observed only.',
      offline: 'Not free: listed as logged in, but not online. It was observed only.',
    },
  ),
]);
