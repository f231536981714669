import { useState } from 'preact/hooks';
import type { AsSentAnswer, CallAnswer, DeliveryChanges, RecordAnswer } from '../call.ts';
import { ask, hashOf, useLive } from './live.ts';
import { Alert, Caller, Empty, Heads, Loading, Personal, placeOn, Scale, Time, useView, WebLink } from './parts.tsx';
import { dayText, durationText, fieldText, hidden, timeText, valueText } from './words.ts';

type Facts = Readonly<Record<string, unknown>>;

const refreshSeconds = 5;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const secondsOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
const factsOf = (value: unknown): readonly Facts[] =>
  Array.isArray(value) ? value.filter((facts) => typeof facts === 'object' && facts !== null) : [];

export const CallView = ({ callId }: { readonly callId: string }) => {
  const { account, timeZone } = useView();
  const search = new URLSearchParams({ account, id: callId }).toString();
  const live = useLive<CallAnswer>(`call?${search}`, refreshSeconds);
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
          <Recordings recordings={value.recordings} search={search} />
          <TimeLine answer={value} />
          {value.call !== undefined && <Facts record={value.call} />}
          <Deliveries answer={value} search={search} />
        </>
      )}
    </article>
  );
};

/** Inbound to Sales on 2026-11-20 at 10:02:11, answered by asha after 8 s, 3 min 12 s, disposition Sale, ended by the agent. */
const sentenceOf = (facts: Facts, timeZone: string): string => {
  const type = textOf(facts['type']) ?? 'a call';
  const skill = textOf(facts['skillName']) ?? textOf(facts['campaignName']);
  const started = textOf(facts['startedAt']);
  const length = secondsOf(facts['callDurationSeconds']) ?? secondsOf(facts['elapsedSeconds']);
  const dispositions = textsOf(facts['dispositions']);
  const hangup = textOf(facts['hangupBy']);
  const about = [
    `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    ...(skill === undefined ? [] : [`to ${skill}`]),
    ...(started === undefined ? [] : [`on ${dayText(started, timeZone)} at ${timeText(started, timeZone)}`]),
  ].join(' ');
  const parts = [
    about,
    outcomeOf(facts),
    ...(length === undefined ? [] : [durationText(length)]),
    ...(dispositions.length === 0 ? [] : [`disposition ${dispositions.join(', ')}`]),
    ...(hangup === undefined ? [] : [`ended by the ${hangup === 'user' ? 'customer' : hangup}`]),
  ];
  return `${parts.join(', ')}.`;
};

const outcomeOf = (facts: Facts): string => {
  const status = textOf(facts['status']);
  if (status !== 'answered') return (status ?? 'status not known').replace('-', ' ');
  const agents = textsOf(facts['agentIds']);
  const answer = secondsOf(facts['timeToAnswerSeconds']);
  return [
    'answered',
    ...(agents.length === 0 ? [] : [`by ${agents.join(', ')}`]),
    ...(answer === undefined ? [] : [`after ${durationText(answer)}`]),
  ].join(' ');
};

/** What became of each recording, with a player where people may listen. */
const Recordings = ({ recordings, search }: Pick<CallAnswer, 'recordings'> & { readonly search: string }) => {
  const { isPersonal } = useView();
  if (recordings.length === 0) return null;
  return (
    <section>
      <h2>Recordings</h2>
      <ul class="recordings">
        {recordings.map(({ recordingId, status, since, sizeBytes, contentType, askAgainAt, reason }) => (
          <li key={recordingId}>
            <p>
              <b>{status === 'given-up' ? 'given up' : status}</b> <Time at={since} day />
              {status === 'archived' && (
                <span class="faint">
                  {' '}
                  {contentType}, {valueText(sizeBytes)} bytes
                </span>
              )}
              {status !== 'archived' && reason !== undefined && `: ${reason}`}
              {status === 'waiting' && askAgainAt !== undefined && (
                <>
                  {'; asked for again at '}
                  <Time at={askAgainAt} day />
                </>
              )}
            </p>
            {status === 'archived' && isPersonal && (
              // biome-ignore lint/a11y/useMediaCaption: nobody has written down what the voices say.
              <audio
                controls
                preload="none"
                aria-label={`Recording of ${since}`}
                src={`console/api/recording?${search}&recording=${encodeURIComponent(recordingId)}`}
              />
            )}
          </li>
        ))}
      </ul>
      {!isPersonal && recordings.some(({ status }) => status === 'archived') && (
        <p class="faint">To listen, start the console with --personal.</p>
      )}
    </section>
  );
};

interface Span {
  readonly label: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

const ms = (value: unknown): number => Date.parse(textOf(value) ?? '');

/** The spans of a call or leg: ringing until the answer, then talk, as far as start, end and the answer are known. */
const spansOf = (label: string, facts: Facts): readonly Span[] => {
  const [from, to] = [ms(facts['startedAt']), ms(facts['endedAt'])];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return [];
  const answer = secondsOf(facts['timeToAnswerSeconds']);
  const picked = ms(facts['pickedUpAt']);
  const answered = Number.isNaN(picked) ? (answer === undefined ? from : from + answer * 1000) : picked;
  if (facts['status'] === 'not-answered') return [{ label, kind: 'ring', from, to }];
  const wrapUp = (secondsOf(facts['wrapUpSeconds']) ?? 0) * 1000;
  return [
    ...(answered > from ? [{ label, kind: 'ring', from, to: Math.min(answered, to) }] : []),
    { label, kind: 'talk', from: Math.min(answered, to), to },
    ...(wrapUp > 0 ? [{ label, kind: 'wrap-up', from: to, to: to + wrapUp }] : []),
  ];
};

const TimeLine = ({ answer }: { readonly answer: CallAnswer }) => {
  const { timeZone } = useView();
  const { call, participants } = answer;
  const legs = factsOf(call?.facts['legs']);
  const lanes = [
    ...(call === undefined ? [] : [['call', spansOf('call', call.facts)] as const]),
    ...legs.map(
      (leg, index) =>
        [`leg ${index + 1}: ${textsOf(leg['agentIds']).join(', ') || 'no agent'}`, spansOf('leg', leg)] as const,
    ),
    ...participants.map((one, index) => [`participant ${index + 1}`, spansOf('participant', one.facts)] as const),
  ].filter(([, spans]) => spans.length > 0);
  const all = lanes.flatMap(([, spans]) => spans);
  if (all.length === 0) return null;
  const from = Math.min(...all.map((span) => span.from));
  const to = Math.max(from + 1, ...all.map((span) => span.to));
  const place = placeOn([from, to], 0.4);
  return (
    <section>
      <h2>Time line</h2>
      <div class="lanes">
        {lanes.map(([name, spans]) => (
          <div class="lane" key={name}>
            <span>{name}</span>
            <div>
              {spans.map((span) => (
                <i
                  key={span.kind}
                  class={`span ${span.kind}`}
                  style={place(span.from, span.to)}
                  title={`${span.kind}: ${timeText(span.from, timeZone)} to ${timeText(span.to, timeZone)}`}
                >
                  {span.kind} {durationText((span.to - span.from) / 1000).replaceAll(' ', '\u00a0')}
                </i>
              ))}
            </div>
          </div>
        ))}
      </div>
      <Scale from={timeText(from, timeZone)} to={timeText(to, timeZone)} />
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

const apart = [
  'legs',
  'notes',
  'extra',
  'recordings',
  'conferenceRecordings',
  'timeZone',
  'firstReceivedAt',
  'lastReceivedAt',
];

const Facts = ({ record: { facts, revision } }: { readonly record: RecordAnswer<Facts> }) => {
  const links = [...textsOf(facts['recordings']), ...textsOf(facts['conferenceRecordings'])];
  const notes = factsOf(facts['notes']);
  const known = Object.entries(facts).flatMap(([name, value]) =>
    apart.includes(name) ? [] : [[fieldText(name), name, value] as const],
  );
  const extra = Object.entries((facts['extra'] as Facts | undefined) ?? {}).map(
    ([name, value]) => [`undocumented: ${name}`, name, value] as const,
  );
  return (
    <section>
      <h2>
        What is known <span class="faint">revision {revision}</span>
      </h2>
      <dl class="facts">
        <div>
          <dt>recordings</dt>
          <dd>
            {links.length === 0 ? (
              <span class="faint">none has come</span>
            ) : (
              links.map((url) => (
                <span key={url}>
                  <WebLink url={url} />{' '}
                </span>
              ))
            )}
          </dd>
        </div>
        {[...known, ...extra].map(([text, name, value]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note, index) => (
            <li key={index}>
              <b>{fieldText(valueText(note['field']))}</b>{' '}
              {noteTexts[valueText(note['reason'])] ?? valueText(note['reason'])}
              {note['asSent'] !== undefined && (
                <>
                  {' '}
                  (as sent: <Value name="as sent" value={note['asSent']} />)
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

/** A link only for what is a web address: anything else, such as `javascript:`, stays text. */
const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const { account } = useView();
  if (name === 'agentIds' && Array.isArray(value))
    return textsOf(value).map((id) => (
      <span key={id}>
        <a href={hashOf('agent', id, { account })}>{id}</a>{' '}
      </span>
    ));
  if (/(?:^|[a-z])At$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <Time at={value} day />;
  if (name.endsWith('Seconds') && typeof value === 'number') return <>{durationText(value)}</>;
  const text = valueText(value);
  if (name === 'customerNumber' && !text.includes(hidden)) return <Caller number={text} />;
  return <Personal value={text.includes(hidden) ? hidden : text} />;
};

const Deliveries = ({ answer, search }: { readonly answer: CallAnswer; readonly search: string }) => {
  const { isPersonal } = useView();
  const [sent, setSent] = useState<AsSentAnswer['asSent']>();
  const [problem, setProblem] = useState<string>();
  const records = [...(answer.call === undefined ? [] : [answer.call]), ...answer.participants];
  const deliveries = records
    .flatMap(({ participantId, deliveries: all }) =>
      all.map((delivery, index) => ({ ...delivery, participantId, isFirst: index === 0 })),
    )
    .sort((a, b) => a.receivedAt.localeCompare(b.receivedAt));
  const show = () =>
    ask<AsSentAnswer>(`as-sent?${search}`).then(
      ({ asSent }) => setSent(asSent),
      (error: Error) => setProblem(error.message),
    );
  return (
    <section>
      <h2>How we know</h2>
      <ol class="deliveries">
        {deliveries.map(({ id, receivedAt, source, revision, before, after, participantId, isFirst }) => (
          <li key={id}>
            <h3>
              <Time at={receivedAt} day /> {source === 'report' ? 'read in the call report' : 'posted by the service'}
              {participantId === undefined ? '' : `, participant ${participantId}`}
              {revision === undefined ? '' : `: revision ${revision}`}
            </h3>
            <Changes before={before} after={after} isFirst={isFirst} />
            {sent?.[id] !== undefined && <pre>{indented(sent[id])}</pre>}
          </li>
        ))}
      </ol>
      <Alert text={problem} />
      {sent === undefined && (
        <button
          type="button"
          onClick={show}
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

const Changes = ({
  before,
  after,
  isFirst,
}: Pick<DeliveryChanges, 'before' | 'after'> & { readonly isFirst: boolean }) => {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (fields.length === 0) return <p class="faint">It changed nothing: what is known was as good or better.</p>;
  const table = (
    <table class="changes">
      <Heads names={['Field', 'Before', 'After']} />
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{fieldText(field)}</th>
            <td class="old">
              <Value name={field} value={before[field]} />
            </td>
            <td class="fresh">
              <Value name={field} value={after[field]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  return isFirst ? (
    <details>
      <summary>The first to come: {fields.length} fields</summary>
      {table}
    </details>
  ) : (
    table
  );
};
