import { outcomeText } from '../../../lib/contract/rules.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { Facts } from './call-facts.tsx';
import { Deliveries } from './deliveries.tsx';
import { useLive } from './live.ts';
import { Empty, Loading } from './parts.tsx';
import { RecordingList } from './player.tsx';
import { TimeLine } from './time-line.tsx';
import { useView } from './view.ts';
import { dayText, durationText, timeText } from './words.ts';

/** A call: the sentence first, then its recordings, when what happened, what is known, and how that is known. */
export const CallView = ({ callId }: { readonly callId: string }) => {
  const { timeZone, isPersonal } = useView();
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
          {value.recordings.length > 0 && (
            <section>
              <h2>Recordings</h2>
              <RecordingList recordings={value.recordings} callId={callId} />
              {!isPersonal && value.recordings.some(({ status }) => status === 'archived') && (
                <p class="faint">To listen, start the console with --personal.</p>
              )}
            </section>
          )}
          <TimeLine answer={value} />
          {value.call !== undefined && <Facts record={value.call} />}
          <Deliveries answer={value} callId={callId} />
        </>
      )}
    </article>
  );
};

export type CallAnswer = Answers['call'];
export type CallRecord = NonNullable<CallAnswer['call']>;

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
    about.filter(Boolean).join(' '),
    status === 'answered' ? answered.filter(Boolean).join(' ') : (outcomeText(facts) ?? 'status not known'),
    length !== undefined && durationText(length),
    dispositions && `disposition ${dispositions.join(', ')}`,
    hangupBy && `ended by the ${wordText(hangupBy)}`,
  ];
  return `${clauses.filter(Boolean).join(', ')}.`;
};
