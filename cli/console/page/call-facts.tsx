import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { CallRecord } from './call.tsx';
import { Caller, Faint, Link, Personal, Time, WebLink } from './parts.tsx';
import { durationText, fieldText, hidden, valueText } from './words.ts';

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

/** Every field of a call, and what was odd about some of them. */
export const Facts = ({ record: { facts, revision } }: { readonly record: CallRecord }) => {
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
export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
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
