import { useState } from 'preact/hooks';
import { outcomeText } from '../../../lib/contract/rules.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { useLive } from './live.ts';
import { Caller, Empty, Faint, Link, Loading, Personal, Time, WebLink } from './parts.tsx';
import { RecordingList } from './player.tsx';
import { Table } from './table.tsx';
import { Scale, Track } from './track.tsx';
import { useView } from './view.ts';
import { dayText, durationText, fieldText, hidden, timeText, valueText } from './words.ts';

export const CallView = ({ callId }: { readonly callId: string }) => {
  const { timeZone } = useView();
  const live = useLive('call', { id: callId }, 5);
  const { value } = live;
  return (
    <article>
      <Loading live={live} what="The call" />
      <h1>Call {callId}</h1>
      {value !== undefined && (
        <>
          {value.call === undefined ? (
            <Empty>Only participants of this call have come so far; its summary follows when it is over.</Empty>
          ) : (
            <p class="sentence">{sentenceOf(value.call.facts, timeZone)}</p>
          )}
          <Recordings recordings={value.recordings} callId={callId} />
          <TimeLine answer={value} />
          {value.call !== undefined && <Facts record={value.call} />}
          <Deliveries answer={value} callId={callId} />
        </>
      )}
    </article>
  );
};

type CallAnswer = Answers['call'];
type CallRecord = NonNullable<CallAnswer['call']>;
type Participant = CallAnswer['participants'][number];

interface OfCall {
  readonly callId: string;
}

/** Inbound to Sales on 2026-11-20 at 10:02:11, answered by asha after 8 s, 3 min 12 s, disposition Sale, ended by the agent. */
const sentenceOf = (facts: CallRecord['facts'], timeZone: string): string => {
  const { type = 'a call', skillName, campaignName, startedAt, dispositions, hangupBy } = facts;
  const { status, agentIds, timeToAnswerSeconds } = facts;
  const skill = skillName ?? campaignName;
  const length = facts.callDurationSeconds ?? facts.elapsedSeconds;
  const about = [
    `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    skill && `to ${skill}`,
    startedAt && `on ${dayText(startedAt, timeZone)} at ${timeText(startedAt, timeZone)}`,
  ];
  const answered = [
    'answered',
    agentIds && `by ${agentIds.join(', ')}`,
    timeToAnswerSeconds !== undefined && `after ${durationText(timeToAnswerSeconds)}`,
  ];
  const clauses = [
    inWords(about, ' '),
    status === 'answered' ? inWords(answered, ' ') : (outcomeText(facts) ?? 'status not known'),
    length !== undefined && durationText(length),
    dispositions && `disposition ${dispositions.join(', ')}`,
    hangupBy && `ended by the ${wordText(hangupBy)}`,
  ];
  return `${inWords(clauses, ', ')}.`;
};

const inWords = (clauses: readonly (string | false | undefined)[], separator: string): string =>
  clauses.filter(Boolean).join(separator);

const Recordings = ({ recordings, callId }: Pick<CallAnswer, 'recordings'> & OfCall) => {
  const { isPersonal } = useView();
  if (recordings.length === 0) return null;
  return (
    <section>
      <h2>Recordings</h2>
      <RecordingList recordings={recordings} callId={callId} />
      {!isPersonal && recordings.some(({ status }) => status === 'archived') && (
        <p class="faint">To listen, start the console with --personal.</p>
      )}
    </section>
  );
};

interface Phase {
  readonly kind: 'ring' | 'talk' | 'wrap-up';
  readonly from: number;
  readonly to: number;
}

const phasesOf = (facts: Partial<CallRecord['facts'] & Participant['facts']>): readonly Phase[] => {
  const { startedAt = '', endedAt = '', pickedUpAt, timeToAnswerSeconds = 0, wrapUpSeconds = 0, status } = facts;
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return [];
  if (status === 'not-answered') return [{ kind: 'ring', from, to }];
  const answered = pickedUpAt === undefined ? from + timeToAnswerSeconds * 1000 : Date.parse(pickedUpAt);
  const talkFrom = Math.min(answered, to);
  const phases: readonly Phase[] = [
    { kind: 'ring', from, to: talkFrom },
    { kind: 'talk', from: talkFrom, to },
    { kind: 'wrap-up', from: to, to: to + wrapUpSeconds * 1000 },
  ];
  return phases.filter((phase) => phase.kind === 'talk' || phase.to > phase.from);
};

const TimeLine = ({ answer: { call, participants } }: { readonly answer: CallAnswer }) => {
  const { timeZone } = useView();
  const legs = call?.facts.legs ?? [];
  const lanes = [
    { name: 'call', facts: call?.facts },
    ...legs.map((leg, index) => ({ name: `leg ${index + 1}: ${leg.agentIds?.join(', ') ?? 'no agent'}`, facts: leg })),
    ...participants.map(({ facts }, index) => ({ name: `participant ${index + 1}`, facts })),
  ]
    .map(({ name, facts }) => ({ name, phases: phasesOf(facts ?? {}) }))
    .filter(({ phases }) => phases.length > 0);
  const all = lanes.flatMap(({ phases }) => phases);
  if (all.length === 0) return null;
  const from = Math.min(...all.map((phase) => phase.from));
  const to = Math.max(from + 1, ...all.map((phase) => phase.to));
  const spanOf = ({ kind, ...phase }: Phase) => ({
    ...phase,
    class: kind,
    title: `${kind}: ${timeText(phase.from, timeZone)} to ${timeText(phase.to, timeZone)}`,
    text: `${kind} ${durationText((phase.to - phase.from) / 1000).replaceAll(' ', '\u00a0')}`,
  });
  return (
    <section>
      <h2>Time line</h2>
      <div class="lanes">
        {lanes.map(({ name, phases }) => (
          <div class="lane" key={name}>
            <span>{name}</span>
            <Track range={[from, to]} least={0.4} spans={phases.map(spanOf)} />
          </div>
        ))}
        <div class="lane">
          <span />
          <Scale from={timeText(from, timeZone)} to={timeText(to, timeZone)} />
        </div>
      </div>
    </section>
  );
};

const noteTexts: Readonly<Record<string, string>> = {
  'over-long': 'is longer than expected, and is kept whole',
  'unparsable-duration': 'is no duration that can be read',
  'unparsable-time': 'is no time that can be read',
  'ambiguous-local-time': 'is in an hour that the clocks repeated; without a zone the first is taken',
  'skipped-local-time': 'names an hour that the clocks skipped',
  'end-before-start': 'lies before the start',
  'fallback-identity': 'is missing, so another id identifies the call',
  'rounded-id': 'was rounded by a program on the way, so it identifies nothing',
  'not-a-scalar': 'was sent as a list or an object',
  'no-link': 'has words where links are expected',
  'too-many': 'are more than Callfeed archives',
};

const Facts = ({ record: { facts, revision } }: { readonly record: CallRecord }) => {
  const { legs, notes = [], extra = {}, recordings = [], conferenceRecordings = [], ...others } = facts;
  const { timeZone, firstReceivedAt, lastReceivedAt, ...known } = others;
  const links = [...recordings, ...conferenceRecordings];
  const fields = [
    ['recordings', 'recordings', links.length === 0 ? 'none has come' : links] as const,
    ...Object.entries(known).map(([name, value]) => [fieldText(name), name, value] as const),
    ...Object.entries(extra).map(([name, value]) => [`undocumented: ${name}`, name, value] as const),
  ];
  return (
    <section>
      <h2>
        What is known <Faint>revision {revision}</Faint>
      </h2>
      <dl class="facts">
        {fields.map(([text, name, value]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul>
          {notes.map(({ field, reason, asSent }, index) => (
            <li key={index}>
              <b>{fieldText(field)}</b> {noteTexts[reason] ?? reason}
              {asSent !== undefined && (
                <>
                  {' '}
                  (as sent: <Value name="as sent" value={asSent} />)
                </>
              )}
              .
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const wordFields = 'status agentStatuses customerStatuses dialStatuses hangupBy transferTypes'.split(' ');

/** A link only for what is a web address: anything else, such as `javascript:`, stays text. */
const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const isLinks = name === 'agentIds' || name === 'recordings';
  if (isLinks && Array.isArray(value))
    return value.map((text) => (
      <span key={text}>
        {name === 'recordings' ? (
          <WebLink url={text} />
        ) : (
          <Link view="agent" id={text}>
            {text}
          </Link>
        )}{' '}
      </span>
    ));
  if (/(?:^|[a-z])At$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <Time at={value} day />;
  if (name.endsWith('Seconds') && typeof value === 'number') return <>{durationText(value)}</>;
  const text = valueText(value);
  if (wordFields.includes(name)) return <>{text.split(', ').map(wordText).join(', ')}</>;
  if (name === 'customerNumber' && !text.includes(hidden)) return <Caller number={text} />;
  return <Personal value={text.includes(hidden) ? hidden : text} />;
};

const Deliveries = ({ answer: { call, participants }, callId }: { readonly answer: CallAnswer } & OfCall) => {
  const { isPersonal } = useView();
  const [isAsked, setAsked] = useState(false);
  const sent = useLive(isAsked ? 'as-sent' : undefined, { id: callId });
  const deliveries = [...(call === undefined ? [] : [call]), ...participants]
    .flatMap(({ participantId, deliveries: all }) =>
      all.map((delivery, index) => ({ ...delivery, participantId, isFirst: index === 0 })),
    )
    .sort((a, b) => a.receivedAt.localeCompare(b.receivedAt));
  return (
    <section>
      <h2>How we know</h2>
      <ol class="deliveries">
        {deliveries.map(({ id, receivedAt, source, revision, participantId, ...changes }) => (
          <li key={id}>
            <h3>
              <Time at={receivedAt} day /> {source === 'report' ? 'read in the call report' : 'posted by the service'}
              {participantId !== undefined && `, participant ${participantId}`}
              {revision !== undefined && `: revision ${revision}`}
            </h3>
            <Changes {...changes} />
            {sent.value?.asSent[id] !== undefined && <pre>{indented(sent.value.asSent[id])}</pre>}
          </li>
        ))}
      </ol>
      <Loading live={sent} what="What was sent" />
      {!isAsked && (
        <button
          type="button"
          onClick={() => setAsked(true)}
          disabled={!isPersonal}
          title={isPersonal ? '' : 'It names people: start the console with --personal.'}
        >
          Show as sent
        </button>
      )}
    </section>
  );
};

/** JSON with line breaks and every digit. A text that is no JSON stays as it is. */
const indented = (text: string): string => text.replace(/,"(?=[^"]+":)/g, ',\n  "');

type ChangesProps = Pick<CallRecord['deliveries'][number], 'before' | 'after'> & { readonly isFirst: boolean };

const Changes = ({ before, after, isFirst }: ChangesProps) => {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (fields.length === 0) return <p class="faint">It changed nothing: what is known was as good or better.</p>;
  const columns = [
    { name: 'Field', cell: fieldText },
    { name: 'Before', cell: (field: string) => <Value name={field} value={before[field]} /> },
    { name: 'After', cell: (field: string) => <Value name={field} value={after[field]} /> },
  ];
  const table = <Table class="changes" columns={columns} rows={fields} />;
  if (!isFirst) return table;
  return (
    <details>
      <summary>The first to come: {fields.length} fields</summary>
      {table}
    </details>
  );
};
