import { agentFields } from '../../lib/agents/normalise-agent.ts';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { callFields, participantFields } from '../../lib/telephony/call-fields.ts';
import type { FieldKind } from '../../lib/telephony/field-kinds.ts';
import { code, markdownTable } from './markdown.ts';

/** How a field is read. Two fields only decide the account. */
type Kind = Exclude<FieldKind, 'sender'>;

interface KindGuide {
  readonly name: string;
  readonly rule: string;
  /** Values that show the rule. */
  readonly sent: readonly string[];
}

/** The kinds of field of a call summary or participant, in the order of the page. */
const kinds: Readonly<Record<Kind, KindGuide>> = {
  text: { name: 'text', rule: 'As sent.', sent: ['General'] },
  number: {
    name: 'telephone number',
    rule: 'As sent. Rows and events have its [E.164](#telephone-numbers) beside it.',
    sent: ['09000000042'],
  },
  id: {
    name: 'id',
    rule:
      'As sent. A placeholder such as `0`, `00000`, `-1`, `NA`, `N/A` or `undefined` is blank. A whole number with a fraction of ' +
      'zeros or an exponent is its digits. If it has fewer digits than it is long, a program rounded it: it is no id, and noted.',
    sent: ['41781234567890123', '41781234567890123.0', '4.1781234567890123E16', '4.17812E+16'],
  },
  key: {
    name: 'id of the call',
    rule: 'As an id. It is the call’s key, and up to 100 characters long.',
    sent: [],
  },
  chain: {
    name: 'chain',
    rule: 'Values joined by an arrow, with or without blanks around it. Blank values are left out.',
    sent: ['asha', 'asha -> ravi', '->asha->ravi'],
  },
  'text-chain': {
    name: 'chain of texts',
    rule: 'Texts joined by an arrow with blanks, or an end of the value, on both sides.',
    sent: ['Call back -> Sale', 'A->B'],
  },
  word: {
    name: 'word',
    rule: 'One of the [words of the telephony service](contract.md#words-of-the-telephony-service).',
    sent: ['ONLINE', 'Paused'],
  },
  words: {
    name: 'chain of words',
    rule: 'Such words in a chain.',
    sent: ['NoAnswer->answered', 'QTimeExceeded{60}'],
  },
  urls: {
    name: 'URLs',
    rule:
      'Each once, whether joined by `,`, `;`, `|`, an arrow, blanks or line ends, or sent as a JSON list. A URL may contain most ' +
      'of these: they end it before another URL, before a word for none (`None`, `NA`, `No Recording` …) and at the end. A line ' +
      'end and an arrow with blanks always end it, and so does each of them after the name of a sound file, but a blank in a longer ' +
      'name. A word in place of a URL is in `notes`, with the reason `no-link`. Of URLs that differ by a [signature](recordings.md#signed-links) the latest stays.',
    sent: [
      'https://r.example/1,https://r.example/2',
      'https://r.example/1->https://r.example/1',
      'https://r.example/a.mp3,,https://r.example/b.mp3,NA',
      'https://r.example/1?parts=1,2',
    ],
  },
  duration: {
    name: 'duration',
    rule: '`HH:MM:SS`, `MM:SS` or a number of seconds. It is read as seconds.',
    sent: ['00:04:10', '04:10', '250'],
  },
  time: {
    name: 'time',
    rule:
      '`YYYY-MM-DD HH:MM:SS`, also with `:` or `/` in place of `-`, and `T` in place of the blank. A time without a zone is ' +
      'in the zone of the account. It is read as an instant in UTC. Where clocks change and a time may mean two instants, start ' +
      'and end are read together: the two that are `CallDuration` apart, else the first two whose end is not before their start.',
    sent: ['2026-11-20 11:00:00', '2026:11:20 11:00:00', '2026-11-20T05:30:00Z'],
  },
};

/** Some values as sent and as read, by the function that reads the callbacks. */
const examplesOf = (kind: Kind): string => {
  const field = Object.values(callFields).find((each) => each.kind === kind);
  return kinds[kind].sent
    .map((text) => {
      const { value, asSent } = field?.read?.(text, 'Asia/Kolkata') ?? {};
      const read = [value, ...(asSent === undefined ? [] : [asSent])].map((each) => code(JSON.stringify(each)));
      return `${code(text)}: ${read.join(', as sent ')}`;
    })
    .join('<br>');
};

const kindTable = (): string =>
  markdownTable(
    ['Kind', 'How it is read', 'As sent: as read (in `Asia/Kolkata`)'],
    keysOf(kinds).map((kind) => [kinds[kind].name, kinds[kind].rule, examplesOf(kind)]),
  );

const kindIn =
  (fields: Readonly<Record<string, { readonly kind: FieldKind }>>) =>
  (origin: string): string => {
    const kind = fields[origin]?.kind;
    if (kind === undefined || kind === 'sender') throw new Error(`No value comes from ${origin}`);
    return kinds[kind].name;
  };

/** How a field of a call summary is read, by its spelling. */
export const callKind = kindIn(callFields);

/** The same for a field of a participant. */
export const participantKind = kindIn(participantFields);

/** The same for a field of an agent. */
export const agentKind = (origin: string): string => {
  if (origin === 'SkillName') return 'texts joined by commas, or a list';
  return origin in agentFields && origin !== 'AgentState' ? kinds.text.name : kinds.word.name;
};

/** Every reason of a reply, by its status. */
const reasonTable = (): string =>
  markdownTable(
    ['Status', 'Reason', 'Message'],
    Object.entries(rejectionResponses)
      .toSorted(([, one], [, other]) => one.status - other.status)
      .map(([reason, { status, message }]) => [String(status), code(reason), message]),
  );

/** The generated parts of docs/incoming.md, by their names. */
export const incomingParts = () => ({ reasons: reasonTable(), kinds: kindTable() });
