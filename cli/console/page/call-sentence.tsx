import { isInbound, lastedSecondsOf, outcomeText } from '../../../lib/contract/rules.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { useView } from './address.ts';
import type { ShownRecord } from './call-facts.tsx';
import { Agents, Caller, CallsOf } from './parts.tsx';
import { capitalised, dayText, durationText, hidden, timeText } from './words.ts';

type OfCall = Pick<ShownRecord, 'facts' | 'listedAt'>;

/** Inbound from +91 98400 12345 to Sales on 2026-11-20 at 10:02:11, answered by asha after 8 s, 3 min 12 s, disposition Sale, ended by the agent. */
export const Sentence = ({ facts, listedAt, text }: OfCall & { readonly text: string | undefined }) => {
  const { dispositions, hangupBy } = facts;
  const length = lastedSecondsOf(facts);
  return (
    <p class="sentence">
      {capitalised(facts.type ?? 'a call')}
      <Customer facts={facts} text={text} />
      <Places facts={facts} listedAt={listedAt} />, <Outcome facts={facts} listedAt={listedAt} />
      {length !== undefined && `, ${durationText(length)}`}
      {dispositions !== undefined && `, disposition ${dispositions.join(', ')}`}
      {hangupBy !== undefined && `, ended by the ${wordText(hangupBy)}`}.
    </p>
  );
};

const Customer = ({ facts, text }: Pick<OfCall, 'facts'> & { readonly text: string | undefined }) => {
  const { customerNumber: number } = facts;
  if (number === undefined || number === hidden) return null;
  return (
    <>
      {` ${isInbound(facts) ? 'from' : 'to'} `}
      <Caller number={number} text={text} />
    </>
  );
};

/** Where it came in, and when. */
const Places = ({ facts, listedAt }: OfCall) => {
  const { timeZone } = useView();
  const { skillName, campaignName, startedAt } = facts;
  return (
    <>
      {skillName !== undefined && (
        <>
          {isInbound(facts) ? ' to ' : ' for '}
          <CallsOf name="skill" text={skillName} at={listedAt} />
        </>
      )}
      {campaignName !== undefined && (
        <>
          {' of the campaign '}
          <CallsOf name="campaign" text={campaignName} at={listedAt} />
        </>
      )}
      {startedAt !== undefined && (
        <>
          {' on '}
          <time>{dayText(startedAt, timeZone)}</time>
          {' at '}
          <time>{timeText(startedAt, timeZone)}</time>
        </>
      )}
    </>
  );
};

const Outcome = ({ facts, listedAt }: OfCall) => {
  const { status, agentIds, timeToAnswerSeconds } = facts;
  if (status !== 'answered') return <>{outcomeText(facts) ?? 'status not known'}</>;
  return (
    <>
      answered
      {agentIds !== undefined && (
        <>
          {' by '}
          <Agents ids={agentIds} at={listedAt} />
        </>
      )}
      {timeToAnswerSeconds !== undefined && ` after ${durationText(timeToAnswerSeconds)}`}
    </>
  );
};
