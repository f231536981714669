import { missedStates } from '../../../lib/contract/rules.ts';
import { partlyLookedText, type WaitAnswer } from '../../calls/wait-answer.ts';
import { useLive, useNow } from './live.ts';
import { Agents, Faint, Link, Loading, Time } from './parts.tsx';
import { capitalised, durationText } from './words.ts';

const refreshSeconds = 15;

/** What became of a missed call, with a link to the call that did it; and on that call, whose wait it ended. */
export const Wait = ({ callId }: { readonly callId: string }) => {
  const live = useLive('call-wait', { id: callId }, refreshSeconds);
  const { wait } = live.value ?? {};
  const { missed, ended = [], isComplete = true } = wait ?? {};
  const isSaid = missed !== undefined || ended.length > 0;
  return (
    <>
      <Loading live={live} what="What became of the call" />
      {missed !== undefined && <Became missed={missed} />}
      {ended.map(({ callId: of, listedAt, state, afterSeconds }) => (
        <p key={of} class="wait">
          It ended the wait of{' '}
          <Link view="call" id={of}>
            the call missed at <Time at={listedAt} day />
          </Link>
          , {laterText(afterSeconds)}: {missedStates[state].text}.
        </p>
      ))}
      {isSaid && !isComplete && <p class="faint">{partlyLookedText}</p>}
    </>
  );
};

/** A call that was under way ended the wait at once. */
const laterText = (seconds: number): string => (seconds === 0 ? 'at that moment' : `${durationText(seconds)} later`);

const Became = ({ missed }: { readonly missed: NonNullable<WaitAnswer['missed']> }) => {
  const now = useNow();
  const { state, since, endedBy, attempts } = missed;
  const { text, meaning } = missedStates[state];
  return (
    <p class={state === 'open' ? 'wait open' : 'wait'} role="status">
      {state === 'open' ? (
        <>
          <b>Open</b> since <Time at={since} day />, for {durationText((now - Date.parse(since)) / 1000)}: {meaning}.
        </>
      ) : (
        <>
          <b>{capitalised(text)}</b>
          {endedBy === undefined ? `: ${meaning}.` : <EndedBy call={endedBy} />}
        </>
      )}
      {attempts.length > 0 && (
        <>
          {' '}
          The caller also called in vain at{' '}
          {attempts.map(({ callId, listedAt }, index) => (
            <span key={callId}>
              {index > 0 && ', '}
              <Link view="call" id={callId}>
                <Time at={listedAt} day />
              </Link>
            </span>
          ))}
          .
        </>
      )}
    </p>
  );
};

type EndedByCall = NonNullable<NonNullable<WaitAnswer['missed']>['endedBy']>;

const EndedBy = ({ call: { callId, listedAt, agentIds, afterSeconds } }: { readonly call: EndedByCall }) => (
  <>
    {' '}
    {laterText(afterSeconds)}, in{' '}
    <Link view="call" id={callId}>
      the call {listedAt === undefined ? callId : <Time at={listedAt} day />}
    </Link>
    {agentIds !== undefined && agentIds.length > 0 && (
      <Faint>
        {' '}
        (<Agents ids={agentIds} at={listedAt} />)
      </Faint>
    )}
    .
  </>
);
