import { useState } from 'preact/hooks';
import type { CallAnswer, CallRecord } from './call.tsx';
import { Value } from './call-facts.tsx';
import { useLive } from './live.ts';
import { Loading, Time } from './parts.tsx';
import { Table } from './table.tsx';
import { useView } from './view.ts';
import { fieldText } from './words.ts';

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
