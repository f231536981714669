import type { ComponentChildren } from 'preact';
import type { Known } from '../../problem.ts';
import type { HealthAnswer, OperationsAnswer, QuarantinedAnswer } from '../health.ts';
import { searchOf, useAsk, useLive, useNow } from './live.ts';
import { Alert, Copy, Loading, placeOn, Scale, Time, troubleText, useFeed, useView, type View } from './parts.tsx';
import { counted, durationText, shownCommands } from './words.ts';

const [feedSeconds, operationsSeconds] = [5, 60];
const dayMs = 86_400_000;

/** How the account's data comes in. Green means looked at and right; what is not known is a dash with its reason. */
export const HealthView = () => {
  const { account } = useView();
  const health = useLive<HealthAnswer>(`health?${searchOf({ account })}`, feedSeconds);
  const operations = useLive<OperationsAnswer>(`operations?${searchOf({ account })}`, operationsSeconds);
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

const verdicts = { good: ['✓', 'right'], bad: ['!', 'needs attention'], unknown: ['–', 'not known'] } as const;

interface CardText {
  readonly verdict: keyof typeof verdicts;
  readonly lines: readonly (ComponentChildren | false)[];
  readonly command?: string | false;
  readonly children?: ComponentChildren;
}

const Card = ({ title, verdict, lines, command = false, children }: CardText & { readonly title: string }) => {
  const [mark, text] = verdicts[verdict];
  return (
    <section class={`card ${verdict}`}>
      <h2>
        <span class="verdict" role="img" aria-label={text}>
          {mark}
        </span>{' '}
        {title}
      </h2>
      {lines.map((line, index) => line !== false && <p key={index}>{line}</p>)}
      {command !== false && <Copy label="the command" text={command} />}
      {children}
    </section>
  );
};

const Operations = ({ answer }: { readonly answer: OperationsAnswer }) => {
  const [view, now] = [useView(), useNow()];
  const { callbacks, quarantine, parked, deadLetters, forwarding, reconciliation } = answer;
  return (
    <>
      {card('Callbacks', callbacks, (value) => callbacksText(value, now))}
      {card('Publishing', callbacks, publishingText)}
      {card('Quarantine', quarantine, quarantineText)}
      {card('Parked', parked, (count) => parkedText(count, view))}
      {card('Dead letters', deadLetters, (count) => deadLettersText(count, view))}
      {forwarding !== undefined && card('Forwarding', forwarding, (value) => forwardingText(value, view))}
      {card('Reconciliation', reconciliation, reconciliationText)}
    </>
  );
};

const saying = (verdict: CardText['verdict']) => (line: ComponentChildren) => ({ verdict, lines: [line] });
const [good, bad, unknown] = [saying('good'), saying('bad'), saying('unknown')];

const card = <Value,>(title: string, known: Known<Value>, textOf: (value: Value) => CardText) => (
  <Card title={title} {...('value' in known ? textOf(known.value) : unknown(known.unknown))} />
);

type Part<Name extends keyof OperationsAnswer> = Extract<OperationsAnswer[Name], { readonly value: unknown }>['value'];

const callbacksText = ({ lastReceivedAt, silentSince, heldUpAt }: Part<'callbacks'>, now: number): CardText => {
  const isUnknown = lastReceivedAt === undefined || heldUpAt !== undefined;
  const latest =
    lastReceivedAt === undefined
      ? 'None is known yet.'
      : `The latest that is known came at most ${durationText(Math.max(60, (now - Date.parse(lastReceivedAt)) / 1000))} ago.`;
  return {
    verdict: silentSince !== undefined ? 'bad' : isUnknown ? 'unknown' : 'good',
    lines: [
      silentSince !== undefined && (
        <>
          <b>
            Agents have ended calls since <Time at={silentSince} day />, and no callback has come for them.
          </b>{' '}
          Check the callback address at the telephony service first.
        </>
      ),
      `${latest}${heldUpAt === undefined ? '' : ' Later ones are not seen before their events are published.'}`,
    ],
  };
};

const publishingText = ({ heldUpAt, lastReceivedAt }: Part<'callbacks'>): CardText => {
  if (heldUpAt !== undefined)
    return bad(
      <>
        <b>
          Events are held up, last seen at <Time at={heldUpAt} day />.
        </b>{' '}
        Mostly the bus does not accept them. They are kept, and published once it does.
      </>,
    );
  return lastReceivedAt === undefined
    ? unknown('No call had an event yet.')
    : good('Nothing holds up the events of calls.');
};

const parkedText = (count: number, { isSandbox }: View): CardText => {
  if (count === 0) return good('Every call is in its table.');
  const again = isSandbox ? 'every few seconds' : 'every six minutes for a day';
  return bad(`About ${counted(count, 'message')} wait until the table takes them; they are tried again ${again}.`);
};

const deadLettersText = (count: number, view: View): CardText => {
  if (count === 0) return good('None.');
  const line = `About ${counted(count, 'message')} could not be stored for a day. Once the cause is mended, move them back:`;
  return { ...bad(line), command: shownCommands(view).redriveParked() };
};

const forwardingText = ({ waiting, deadLetters }: Part<'forwarding'>, view: View): CardText => {
  const deliveries = (count: number) => `About ${counted(count, 'delivery', 'deliveries')}`;
  return {
    verdict: deadLetters > 0 ? 'bad' : waiting > 0 ? 'unknown' : 'good',
    lines: [
      waiting === 0
        ? 'No delivery waits for another receiver.'
        : `${deliveries(waiting)} wait for another receiver; each is tried for a day.`,
      deadLetters > 0 && `${deliveries(deadLetters)} could not be sent. Show whose they are:`,
    ],
    command: deadLetters > 0 && shownCommands(view).forwarded(),
  };
};

const reconciliationText = (value: Part<'reconciliation'>): CardText => {
  if (value === undefined)
    return unknown(
      <>
        It is switched off (the setting <code>reconciliation</code>), so a call whose callback never came stays unknown.
      </>,
    );
  const { areCallbacksMissing, reconciled, calls, found, now } = value;
  const isNew = reconciled === 'NEVER';
  return {
    verdict: areCallbacksMissing || now.startsWith('gave up') ? 'bad' : isNew ? 'unknown' : 'good',
    lines: [
      areCallbacksMissing && (
        <>
          <b>More than a fifth of the latest days’ calls had no callback.</b> Check the callback address at the
          telephony service.
        </>
      ),
      `Compared with the call report: ${isNew ? 'never yet' : reconciled}. Of ${counted(calls, 'call')} in 15 days, the report alone had ${found}.`,
      `Now: ${now}.`,
    ],
  };
};

const Feed = ({ answer }: { readonly answer: HealthAnswer }) => {
  const now = useNow();
  const { isSandbox, timeZone } = useView();
  const { feed, freshness, requests, problem, earlier } = answer;
  const isLive = freshness === 'live';
  const latest =
    feed?.asOf === undefined
      ? `No poll has succeeded yet${feed === undefined ? ', and none was tried' : ''}.`
      : `${isLive ? 'Polls succeed' : 'Polls do not succeed'}; the latest picture is ${durationText((now - Date.parse(feed.asOf)) / 1000)} old, with ${counted(feed.agentCount, 'agent')}.`;
  const lines = [
    latest,
    problem !== undefined && <b>{troubleText(problem, timeZone)}</b>,
    earlier?.since !== undefined && (
      <>
        An earlier problem is over: {earlier.text}, last met at <Time at={earlier.since} day />.
      </>
    ),
    feed !== undefined &&
      feed.unreadableRecords > 0 &&
      `${counted(feed.unreadableRecords, 'record')} of the latest answer could not be read.`,
    requestsText(requests, isSandbox),
  ];
  return (
    <Card title="Polls of agents" verdict={isLive ? 'good' : freshness === 'stale' ? 'bad' : 'unknown'} lines={lines}>
      <Interruptions answer={answer} now={now} />
    </Card>
  );
};

const requestsText = (requests: HealthAnswer['requests'], isSandbox: boolean): string => {
  if (requests === undefined)
    return isSandbox
      ? '– Nothing is simulated, so nobody counts the requests.'
      : '– A deployment does not count its requests: the rows have the latest answer and failure.';
  const { requests: count, maxPerMinute, overLimit } = requests;
  return `${counted(count, 'request')} so far; at most ${maxPerMinute} of the 5 allowed in a minute; ${overLimit} over a limit.`;
};

/** From each interruption of the last day to its end; an open one lasts until now. */
const interruptionsOf = (changes: HealthAnswer['changes'], now: number) =>
  changes.flatMap(({ status, at, previousSince, reason }, index) => {
    const from = Date.parse(at);
    if (status === 'interrupted')
      return [{ from, to: Date.parse(changes[index + 1]?.at ?? '') || now, reason: reason ?? 'not known' }];
    const beganMs = Math.max(now - dayMs, Date.parse(previousSince));
    return index === 0 ? [{ from: beganMs, to: from, reason: 'began before' }] : [];
  });

const Interruptions = ({ answer, now }: { readonly answer: HealthAnswer; readonly now: number }) => {
  const { changes, feed, freshness } = answer;
  const spans = interruptionsOf(changes, now);
  const place = placeOn([now - dayMs, now], 0.3);
  const lasted = ({ from, to }: (typeof spans)[number]) => durationText((to - from) / 1000);
  // Polls may not have succeeded since, though that is no interruption yet.
  const isBefore = freshness !== 'live' && feed?.asOf !== undefined;
  return (
    <>
      <div class="track daybar thin" role="img" aria-label={`Interruptions of the last day: ${spans.length}`}>
        {spans.map((span) => (
          <i key={span.from} class="gap" style={place(span.from, span.to)} title={`${span.reason}, ${lasted(span)}`} />
        ))}
      </div>
      <Scale from="a day ago" to="now" />
      {spans.length === 0 && (
        <p>
          {feed === undefined
            ? 'Nothing is known of interruptions.'
            : `No interruption in the last day${isBefore ? ' before this one' : ''}.`}
        </p>
      )}
      <ul>
        {spans
          .toReversed()
          .slice(0, 5)
          .map((span) => (
            <li key={span.from}>
              <Time at={new Date(span.from).toISOString()} day />: {lasted(span)}, {span.reason}
            </li>
          ))}
      </ul>
    </>
  );
};

const quarantineText = ({ reasons, isAtLeast }: Part<'quarantine'>): CardText => {
  const isBad = reasons.some(({ isHarmless }) => !isHarmless);
  // What somebody has to mend comes first, however much of the rest there is.
  const sorted = reasons.toSorted((a, b) => Number(a.isHarmless) - Number(b.isHarmless));
  return {
    verdict: isBad ? 'bad' : isAtLeast ? 'unknown' : 'good',
    lines: [
      reasons.length === 0 && !isAtLeast && 'Every post was understood.',
      isAtLeast && 'Counted are the first 2 MB; there is more.',
    ],
    children: sorted.map((reason) => <Reason key={reason.reason} {...reason} />),
  };
};

const Reason = ({ reason, message, isHarmless, count, redrivable, newest }: Part<'quarantine'>['reasons'][number]) => {
  const view = useView();
  const { isPersonal } = view;
  const { value, problem, run } = useAsk<QuarantinedAnswer>();
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
              <button
                type="button"
                onClick={() => run(`quarantined?${searchOf({ id })}`)}
                aria-label={`Show the body of ${id}`}
              >
                Body
              </button>
            )}
          </li>
        ))}
      </ul>
      <Alert text={problem} />
      {value !== undefined && <pre>{value.body}</pre>}
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
