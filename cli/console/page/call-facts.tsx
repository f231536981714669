import { useState } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { useLive } from './live.ts';
import { Agents, Caller, CallsOf, Faint, Loading, Personal, Time, WebLink } from './parts.tsx';
import { PageTable } from './table.tsx';
import { durationText, fieldText, hidden, valueText } from './words.ts';

export type CallAnswer = Answers['call'];
export type ShownRecord = NonNullable<CallAnswer['call']>;

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

export const Facts = ({ record: { facts, revision, listedAt } }: { readonly record: ShownRecord }) => {
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
              <Value name={name} value={value} at={listedAt} />
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
                  (as sent: <PlainValue name="as sent" value={asSent} />)
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

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  /** When the call was: a skill or a campaign opens the calls of that day. */
  readonly at: string | undefined;
}

/** Agents, skills and campaigns lead where those of a list do. */
const Value = ({ name, value, at }: ValueProps) => {
  if (name === 'agentIds' && Array.isArray(value)) return <Agents ids={value} at={at} />;
  if (name === 'skillName' && typeof value === 'string') return <CallsOf name="skill" text={value} at={at} />;
  if (name === 'campaignName' && typeof value === 'string') return <CallsOf name="campaign" text={value} at={at} />;
  if (name === 'recordings' && Array.isArray(value))
    return value.map((url) => (
      <span key={url}>
        <WebLink url={url} />{' '}
      </span>
    ));
  return <PlainValue name={name} value={value} />;
};

const PlainValue = ({ name, value }: Omit<ValueProps, 'at'>) => {
  if (/(?:^|[a-z])At$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <Time at={value} day />;
  if (name.endsWith('Seconds') && typeof value === 'number') return <>{durationText(value)}</>;
  const text = valueText(value);
  if (wordFields.includes(name)) return <>{text.split(', ').map(wordText).join(', ')}</>;
  if (name === 'customerNumber' && typeof value === 'string' && !text.includes(hidden)) return <Caller number={text} />;
  return <Personal value={text.includes(hidden) ? hidden : text} />;
};

/** How a call is known: what each delivery changed, old and new side by side. */
export const Deliveries = ({
  answer: { call, participants },
  callId,
}: {
  readonly answer: CallAnswer;
  readonly callId: string;
}) => {
  const { isPersonal } = useView();
  const [isAsked, setAsked] = useState(false);
  const sent = useLive(isAsked ? 'as-sent' : undefined, { id: callId });
  const deliveries = [...(call === undefined ? [] : [call]), ...participants]
    .flatMap(({ participantId, listedAt, deliveries: all }) =>
      all.map((delivery, index) => ({ ...delivery, participantId, at: listedAt, isFirst: index === 0 })),
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

type ChangesProps = Pick<ShownRecord['deliveries'][number], 'before' | 'after'> &
  Pick<ValueProps, 'at'> & { readonly isFirst: boolean };

const Changes = ({ before, after, isFirst, at }: ChangesProps) => {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (fields.length === 0) return <p class="faint">It changed nothing: what is known was as good or better.</p>;
  const columns = [
    { name: 'Field', cell: fieldText },
    { name: 'Before', cell: (field: string) => <Value name={field} value={before[field]} at={at} /> },
    { name: 'After', cell: (field: string) => <Value name={field} value={after[field]} at={at} /> },
  ];
  const table = <PageTable class="changes" columns={columns} rows={fields} />;
  if (!isFirst) return table;
  return (
    <details>
      <summary>The first to come: {fields.length} fields</summary>
      {table}
    </details>
  );
};
