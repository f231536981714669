import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Backlog } from '../../dead-letters.ts';
import type { Known } from '../../problem.ts';
import type { HealthAnswer, OperationsAnswer, QuarantinedAnswer, QuarantineReason } from '../health.ts';
import { shownCommands } from './commands.ts';
import { ask, useLive, useNow } from './live.ts';
import { Alert, Copy, Loading, placeOn, Scale, Time, troubleText, useFeed, useView } from './parts.tsx';
import { counted, durationText } from './words.ts';

const [feedSeconds, operationsSeconds] = [5, 60];
const dayMs = 86_400_000;

/** How the account's data comes in. Green means looked at and right; what is not known is a dash with its reason. */
export const HealthView = () => {
  const { account } = useView();
  const search = new URLSearchParams({ account });
  const health = useLive<HealthAnswer>(`health?${search}`, feedSeconds);
  const operations = useLive<OperationsAnswer>(`operations?${search}`, operationsSeconds);
  useFeed(health.value);
  return (
    <>
      <h1>Health of {account}</h1>
      <Loading live={health} what="The feed" />
      <Loading live={operations} what="Quarantine and queues" />
      <div class="cards">
        {health.value !== undefined && <Feed answer={health.value} />}
        {operations.value !== undefined && <Operations answer={operations.value} />}
      </div>
    </>
  );
};

const Operations = ({ answer }: { readonly answer: OperationsAnswer }) => (
  <>
    <IfKnown title="Callbacks" known={answer.callbacks} show={Callbacks} />
    <IfKnown title="Publishing" known={answer.callbacks} show={Publishing} />
    <IfKnown title="Quarantine" known={answer.quarantine} show={Quarantine} />
    <IfKnown title="Parked" known={answer.parked} show={Parked} />
    <IfKnown title="Dead letters" known={answer.deadLetters} show={DeadLetters} />
    {answer.forwarding !== undefined && <IfKnown title="Forwarding" known={answer.forwarding} show={Forwarding} />}
    <IfKnown title="Reconciliation" known={answer.reconciliation} show={Reconciliation} />
  </>
);

/** The mark of each verdict, and what it says to those who do not see it. */
const verdicts = { good: ['✓', 'right'], bad: ['!', 'needs attention'], unknown: ['–', 'not known'] } as const;

const Card = ({
  title,
  verdict,
  children,
}: {
  readonly title: string;
  readonly verdict: keyof typeof verdicts;
  readonly children: ComponentChildren;
}) => {
  const [mark, text] = verdicts[verdict];
  return (
    <section class={`card ${verdict}`}>
      <h2>
        <span class="verdict" role="img" aria-label={text}>
          {mark}
        </span>{' '}
        {title}
      </h2>
      {children}
    </section>
  );
};

/** A card of what was read, or of why it is not known. */
function IfKnown<Value>({
  title,
  known,
  show: Shown,
}: {
  readonly title: string;
  readonly known: Known<Value>;
  readonly show: (props: { readonly value: Value }) => ComponentChildren;
}) {
  if ('value' in known) return <Shown value={known.value} />;
  return (
    <Card title={title} verdict="unknown">
      <p>{known.unknown}</p>
    </Card>
  );
}

const Feed = ({ answer }: { readonly answer: HealthAnswer }) => {
  const now = useNow();
  const { isSandbox } = useView();
  const { feed, freshness, changes, requests } = answer;
  const verdict = freshness === 'live' ? 'good' : freshness === 'stale' ? 'bad' : 'unknown';
  return (
    <Card title="Polls of agents" verdict={verdict}>
      {feed?.asOf === undefined ? (
        <p>No poll has succeeded yet{feed === undefined ? ', and none was tried' : ''}.</p>
      ) : (
        <p>
          {freshness === 'live' ? 'Polls succeed' : 'Polls do not succeed'}; the latest picture is{' '}
          {durationText((now - Date.parse(feed.asOf)) / 1000)} old, with {counted(feed.agentCount, 'agent')}.
        </p>
      )}
      <Problems answer={answer} />
      <p>{requestsText(requests, isSandbox)}</p>
      <Interruptions
        changes={changes}
        now={now}
        isKnown={feed !== undefined}
        since={freshness === 'live' ? undefined : feed?.asOf}
      />
    </Card>
  );
};

const Problems = ({ answer: { problem, earlier, feed } }: { readonly answer: HealthAnswer }) => {
  const { timeZone } = useView();
  return (
    <>
      {problem !== undefined && (
        <p>
          <b>{troubleText(problem, timeZone)}</b>
        </p>
      )}
      {earlier?.since !== undefined && (
        <p>
          An earlier problem is over: {earlier.text}, last met at <Time at={earlier.since} day />.
        </p>
      )}
      {feed !== undefined && feed.unreadableRecords > 0 && (
        <p>{counted(feed.unreadableRecords, 'record')} of the latest answer could not be read.</p>
      )}
    </>
  );
};

const requestsText = (requests: HealthAnswer['requests'], isSandbox: boolean): string => {
  if (requests === undefined)
    return isSandbox
      ? '– Nothing is simulated, so nobody counts the requests.'
      : '– Polls by outcome and the used limit are metrics, not rows: the dashboard in CloudWatch has them.';
  const { requests: count, maxPerMinute, overLimit } = requests;
  return `${counted(count, 'request')} so far; at most ${maxPerMinute} of the 5 allowed in a minute; ${overLimit} over a limit.`;
};

/** From each interruption to the next restoration; an open one lasts until now. */
const Interruptions = ({
  changes,
  now,
  isKnown,
  since,
}: {
  readonly changes: HealthAnswer['changes'];
  readonly now: number;
  readonly isKnown: boolean;
  /** Since when polls have not succeeded, though that is no interruption yet. */
  readonly since: string | undefined;
}) => {
  const spans = changes.flatMap((change, index) =>
    change.status === 'interrupted'
      ? [
          {
            from: Date.parse(change.at),
            to: Date.parse(changes[index + 1]?.at ?? new Date(now).toISOString()),
            reason: change.reason ?? 'not known',
          },
        ]
      : index === 0
        ? [
            {
              from: Math.max(now - dayMs, Date.parse(change.previousSince)),
              to: Date.parse(change.at),
              reason: 'began before',
            },
          ]
        : [],
  );
  const place = placeOn([now - dayMs, now], 0.3);
  return (
    <>
      <div class="daybar thin" role="img" aria-label={`Interruptions of the last day: ${spans.length}`}>
        {spans.map((span) => (
          <i
            key={span.from}
            class="gap"
            style={place(span.from, span.to)}
            title={`${span.reason}, ${durationText((span.to - span.from) / 1000)}`}
          />
        ))}
      </div>
      <Scale from="a day ago" to="now" />
      {spans.length === 0 && (
        <p>
          {!isKnown
            ? 'Nothing is known of interruptions.'
            : since === undefined
              ? 'No interruption in the last day.'
              : 'No interruption in the last day before this one.'}
        </p>
      )}
      <ul>
        {spans
          .toReversed()
          .slice(0, 5)
          .map((span) => (
            <li key={span.from}>
              <Time at={new Date(span.from).toISOString()} day />: {durationText((span.to - span.from) / 1000)},{' '}
              {span.reason}
            </li>
          ))}
      </ul>
    </>
  );
};

/** A part of the deployment that was read. */
interface Part<Name extends keyof Omit<OperationsAnswer, 'now'>> {
  readonly value: Extract<OperationsAnswer[Name], { readonly value: unknown }>['value'];
}

const Callbacks = ({ value: { lastReceivedAt, silentSince, heldUpAt } }: Part<'callbacks'>) => {
  const now = useNow();
  const isUnknown = lastReceivedAt === undefined || heldUpAt !== undefined;
  return (
    <Card title="Callbacks" verdict={silentSince !== undefined ? 'bad' : isUnknown ? 'unknown' : 'good'}>
      {silentSince !== undefined && (
        <p>
          <b>
            Agents have ended calls since <Time at={silentSince} day />, and no callback has come for them.
          </b>{' '}
          Check the callback address at the telephony service first.
        </p>
      )}
      <p>
        {lastReceivedAt === undefined
          ? 'None is known yet.'
          : `The latest that is known came at most ${durationText(Math.max(60, (now - Date.parse(lastReceivedAt)) / 1000))} ago.`}
        {heldUpAt !== undefined && ' Those of since are not seen before their events are published.'}
      </p>
    </Card>
  );
};

const Publishing = ({ value: { heldUpAt, lastReceivedAt } }: Part<'callbacks'>) => (
  <Card title="Publishing" verdict={heldUpAt !== undefined ? 'bad' : lastReceivedAt === undefined ? 'unknown' : 'good'}>
    {heldUpAt === undefined ? (
      <p>{lastReceivedAt === undefined ? 'No call had an event yet.' : 'Nothing holds up the events of calls.'}</p>
    ) : (
      <p>
        <b>
          Events are held up, last seen at <Time at={heldUpAt} day />.
        </b>{' '}
        Mostly the bus does not accept them. They are kept, and published once it does.
      </p>
    )}
  </Card>
);

const Parked = ({ value }: Part<'parked'>) => {
  const { isSandbox } = useView();
  return (
    <Card title="Parked" verdict={value === 0 ? 'good' : 'bad'}>
      <p>
        {value === 0
          ? 'Every call is in its table.'
          : `About ${counted(value, 'message')} wait until the table takes them; they are tried again ${isSandbox ? 'every few seconds' : 'every six minutes for a day'}.`}
      </p>
    </Card>
  );
};

const DeadLetters = ({ value }: Part<'deadLetters'>) => {
  const view = useView();
  return (
    <Card title="Dead letters" verdict={value === 0 ? 'good' : 'bad'}>
      {value === 0 ? (
        <p>None.</p>
      ) : (
        <>
          <p>
            About {counted(value, 'message')} could not be stored for a day. Once the cause is mended, move them back:
          </p>
          <Copy label="the command" text={shownCommands(view).redriveParked()} />
        </>
      )}
    </Card>
  );
};

const Forwarding = ({ value: { waiting, deadLetters } }: { readonly value: Backlog }) => {
  const view = useView();
  return (
    <Card title="Forwarding" verdict={deadLetters > 0 ? 'bad' : waiting > 0 ? 'unknown' : 'good'}>
      <p>
        {waiting === 0
          ? 'No delivery waits for another receiver.'
          : `About ${counted(waiting, 'delivery', 'deliveries')} wait for another receiver; each is tried for a day.`}
      </p>
      {deadLetters > 0 && (
        <>
          <p>About {counted(deadLetters, 'delivery', 'deliveries')} could not be sent. Show whose they are:</p>
          <Copy label="the command" text={shownCommands(view).forwarded()} />
        </>
      )}
    </Card>
  );
};

const Reconciliation = ({ value }: Part<'reconciliation'>) => {
  if (value === undefined)
    return (
      <Card title="Reconciliation" verdict="unknown">
        <p>
          It is switched off (the setting <code>reconciliation</code>), so a call whose callback never came stays
          unknown.
        </p>
      </Card>
    );
  const isBad = value.areCallbacksMissing || value.now.startsWith('gave up');
  return (
    <Card title="Reconciliation" verdict={isBad ? 'bad' : value.reconciled === 'NEVER' ? 'unknown' : 'good'}>
      {value.areCallbacksMissing && (
        <p>
          <b>More than a fifth of the latest days’ calls had no callback.</b> Check the callback address at the
          telephony service.
        </p>
      )}
      <p>
        Compared with the call report: {value.reconciled === 'NEVER' ? 'never yet' : value.reconciled}. Of{' '}
        {counted(value.calls, 'call')} in 15 days, the report alone had {value.found}.
      </p>
      <p>Now: {value.now}.</p>
    </Card>
  );
};

const Quarantine = ({ value: { reasons, isAtLeast } }: Part<'quarantine'>) => {
  const isBad = reasons.some(({ isHarmless }) => !isHarmless);
  // What somebody has to mend comes first, however much of the rest there is.
  const sorted = reasons.toSorted((a, b) => Number(a.isHarmless) - Number(b.isHarmless));
  return (
    <Card title="Quarantine" verdict={isBad ? 'bad' : isAtLeast ? 'unknown' : 'good'}>
      {reasons.length === 0 && !isAtLeast && <p>Every post was understood.</p>}
      {isAtLeast && <p>Counted are the first 2 MB; there is more.</p>}
      {sorted.map((reason) => (
        <Reason key={reason.reason} reason={reason} />
      ))}
    </Card>
  );
};

const Reason = ({
  reason: { reason, message, isHarmless, count, redrivable, newest },
}: {
  readonly reason: QuarantineReason;
}) => {
  const view = useView();
  const { isPersonal } = view;
  const [body, setBody] = useState<QuarantinedAnswer>();
  const [problem, setProblem] = useState<string>();
  const wanted = useRef('');
  const show = (id: string) => async () => {
    wanted.current = id;
    // An answer to an earlier click may come after that to a later one.
    const ifWanted = (change: () => void) => wanted.current === id && change();
    try {
      const read = await ask<QuarantinedAnswer>(`quarantined?${new URLSearchParams({ id })}`);
      ifWanted(() => {
        setBody(read);
        setProblem(undefined);
      });
    } catch (error) {
      ifWanted(() => setProblem(error instanceof Error ? error.message : 'It failed.'));
    }
  };
  if (isHarmless && !isPersonal)
    return (
      <p class="faint">
        {count} × {reason}: not about calls, so nothing has to be done.
      </p>
    );
  return (
    <div class="reason">
      <h3>
        {count} × {reason}
      </h3>
      <p>{message}</p>
      <ul>
        {newest.map(({ id, receivedAt, account }) => (
          <li key={id}>
            <Time at={receivedAt} day /> {account ?? 'the secret address'}{' '}
            {isPersonal && (
              <button type="button" onClick={show(id)} aria-label={`Show the body of ${id}`}>
                Body
              </button>
            )}
          </li>
        ))}
      </ul>
      <Alert text={problem} />
      {body !== undefined && <pre>{body.body}</pre>}
      {isHarmless ? (
        <p>They are not about calls: nothing has to be done.</p>
      ) : (
        <>
          {redrivable > 0 && <Copy label="the command" text={shownCommands(view).redriveQuarantined(reason)} />}
          <p>
            {redrivable > 0
              ? 'What cannot be redriven'
              : 'No redrive can read them: what the service does not post again'}{' '}
            can be dismissed, with a reason:
          </p>
          <Copy label="the command to dismiss" text={shownCommands(view).dismissQuarantined(reason)} />
        </>
      )}
    </div>
  );
};
