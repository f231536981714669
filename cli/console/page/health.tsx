import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { HealthText } from '../../frame/feature.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { asReadLast, isStale, pollsText } from './feed.ts';
import { useLive, useNow } from './live.ts';
import { Copy, Loading, Time } from './parts.tsx';
import { Scale, Track } from './track.tsx';
import { commandOf, durationText } from './words.ts';

const feedSeconds = 5;
const operationsSeconds = 60;
const dayMs = 86_400_000;

/** How the account's data comes in. Green means looked at and right; what is not known is a dash with its reason. */
export const HealthView = () => {
  const { account } = useView();
  const health = useLive('health', {}, feedSeconds);
  const operations = useLive('operations', {}, operationsSeconds);
  return (
    <>
      <h1>Health of {account}</h1>
      <Loading live={health} what="The feed" />
      <Loading live={operations} what="Quarantine and queues" />
      <div class="cards">
        {health.value !== undefined && <Feed answer={health.value} isUnread={health.problem !== undefined} />}
        {operations.value?.cards.map(({ reasons = [], title, ...text }) => (
          <Card key={title} title={title} {...(operations.problem === undefined ? text : asReadLast(text))}>
            {reasons.map((reason) => (
              <Reason key={reason.reason} {...reason} />
            ))}
          </Card>
        ))}
      </div>
    </>
  );
};

const verdicts = { good: ['✓', 'right'], bad: ['!', 'needs attention'], unknown: ['–', 'not known'] } as const;

interface CardProps extends HealthText {
  readonly title: string;
  readonly children: ComponentChildren;
}

const Card = ({ title, verdict, lines, command, children }: CardProps) => {
  const view = useView();
  const [mark, text] = verdicts[verdict];
  return (
    <section class={`card ${verdict}`}>
      <h2>
        <span class="verdict" role="img" aria-label={text}>
          {mark}
        </span>{' '}
        {title}
      </h2>
      {lines.map((line, index) => (
        <p key={index} class={verdict === 'bad' && index === 0 ? 'alert' : undefined}>
          {typeof line === 'string' ? (
            line
          ) : (
            <>
              {line[0]} <Time at={line[1]} day />.
            </>
          )}
        </p>
      ))}
      {command !== undefined && <Copy label="the command" text={commandOf(view, ...command)} />}
      {children}
    </section>
  );
};

const Feed = ({ answer, isUnread }: { readonly answer: Answers['health']; readonly isUnread: boolean }) => {
  const now = useNow();
  const { timeZone } = useView();
  return (
    <Card title="Polls of agents" {...pollsText(answer, { timeZone, now, isUnread })}>
      <Interruptions answer={answer} now={now} />
    </Card>
  );
};

/** From each interruption of the last day to its end; an open one lasts until now. */
const interruptionsOf = (changes: Answers['health']['changes'], now: number) =>
  changes.flatMap(({ status, at, previousSince, reason }, index) => {
    const from = Date.parse(at);
    if (status === 'interrupted')
      return [{ from, to: Date.parse(changes[index + 1]?.at ?? '') || now, reason: reason ?? 'not known' }];
    const beganMs = Math.max(now - dayMs, Date.parse(previousSince));
    return index === 0 ? [{ from: beganMs, to: from, reason: 'began before' }] : [];
  });

const Interruptions = ({ answer, now }: { readonly answer: Answers['health']; readonly now: number }) => {
  const { changes, feed } = answer;
  const spans = interruptionsOf(changes, now);
  const lasted = ({ from, to }: (typeof spans)[number]) => durationText((to - from) / 1000);
  // Polls may not have succeeded since, though that is no interruption yet.
  const isBefore = isStale(answer, now);
  return (
    <>
      <Track
        class="daybar thin"
        label={`Interruptions of the last day: ${spans.length}`}
        range={[now - dayMs, now]}
        least={0.3}
        spans={spans.map((span) => ({ ...span, class: 'gap', title: `${span.reason}, ${lasted(span)}` }))}
      />
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

type ReasonProps = NonNullable<Answers['operations']['cards'][number]['reasons']>[number];

const Reason = ({ reason, message, isHarmless, count, redrivable, newest }: ReasonProps) => {
  const view = useView();
  const { isPersonal } = view;
  const [opened, setOpened] = useState<string>();
  const live = useLive(opened === undefined ? undefined : 'quarantined', { id: opened });
  const ofReason = ['--all', '--reason', reason];
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
              <button type="button" onClick={() => setOpened(id)} aria-label={`Show the body of ${id}`}>
                Body
              </button>
            )}
          </li>
        ))}
      </ul>
      <Loading live={live} what="The body" />
      {live.value !== undefined && <pre>{live.value.body}</pre>}
      {isHarmless ? (
        <p>They are not about calls: nothing has to be done.</p>
      ) : (
        <>
          {redrivable > 0 && <Copy label="the command" text={commandOf(view, 'quarantine', 'redrive', ...ofReason)} />}
          <p>
            {redrivable > 0
              ? 'What cannot be redriven'
              : 'No redrive can read them: what the service does not post again'}{' '}
            can be dismissed, with a reason:
          </p>
          <Copy
            label="the command to dismiss"
            text={commandOf(view, 'quarantine', 'dismiss', ...ofReason, '--because', '…')}
          />
        </>
      )}
    </div>
  );
};
