import { useView } from './address.ts';
import { type CallAnswer, Deliveries, Facts, type ShownRecord } from './call-facts.tsx';
import { Sentence } from './call-sentence.tsx';
import { useLive } from './live.ts';
import { Agents, Empty, Loading } from './parts.tsx';
import { RecordingList } from './player.tsx';
import { Scale, Track } from './track.tsx';
import { Wait } from './wait.tsx';
import { durationText, timeText } from './words.ts';

/** A call: the sentence first, then its recordings, when what happened, what is known, and how that is known. */
export const CallView = ({ callId }: { readonly callId: string }) => {
  const { isPersonal } = useView();
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
            <>
              <Sentence {...value.call} text={value.customerText} />
              <Wait callId={callId} />
            </>
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

interface Phase {
  readonly kind: 'ring' | 'talk' | 'wrap-up';
  readonly from: number;
  readonly to: number;
}

const phasesOf = (
  facts: Partial<ShownRecord['facts'] & CallAnswer['participants'][number]['facts']>,
): readonly Phase[] => {
  const { startedAt = '', endedAt = '', pickedUpAt, timeToAnswerSeconds = 0, wrapUpSeconds = 0, status } = facts;
  const from = Date.parse(startedAt);
  const to = Date.parse(endedAt);
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return [];
  if (status === 'not-answered') return [{ kind: 'ring', from, to }];
  const answered = pickedUpAt === undefined ? from + timeToAnswerSeconds * 1000 : Date.parse(pickedUpAt);
  const talkFrom = Math.min(answered, to);
  const phases: readonly Phase[] = [
    { kind: 'ring', from, to: talkFrom },
    { kind: 'talk', from: talkFrom, to },
    { kind: 'wrap-up', from: to, to: to + wrapUpSeconds * 1000 },
  ];
  return phases.filter((phase) => phase.kind === 'talk' || phase.to > phase.from);
};

const TimeLine = ({ answer: { call, participants } }: { readonly answer: CallAnswer }) => {
  const { timeZone } = useView();
  const legs = call?.facts.legs ?? [];
  const lanes = [
    { name: 'call', agents: undefined, facts: call?.facts },
    ...legs.map((leg, index) => ({ name: `leg ${index + 1}`, agents: leg.agentIds ?? [], facts: leg })),
    ...participants.map(({ facts }, index) => ({ name: `participant ${index + 1}`, agents: undefined, facts })),
  ]
    .map(({ facts, ...lane }) => ({ ...lane, phases: phasesOf(facts ?? {}) }))
    .filter(({ phases }) => phases.length > 0);
  const all = lanes.flatMap(({ phases }) => phases);
  if (all.length === 0) return null;
  const from = Math.min(...all.map((phase) => phase.from));
  const to = Math.max(from + 1, ...all.map((phase) => phase.to));
  const spanOf = ({ kind, ...phase }: Phase) => ({
    ...phase,
    class: kind,
    title: `${kind}: ${timeText(phase.from, timeZone)} to ${timeText(phase.to, timeZone)}`,
    text: `${kind} ${durationText((phase.to - phase.from) / 1000)}`,
  });
  return (
    <section>
      <h2>Time line</h2>
      <div class="lanes">
        {lanes.map(({ name, agents, phases }) => (
          <div class="lane" key={name}>
            <span>
              {name}
              {agents?.length === 0 && ': no agent'}
              {agents !== undefined && agents.length > 0 && (
                <>
                  : <Agents ids={agents} at={call?.listedAt} />
                </>
              )}
            </span>
            <Track range={[from, to]} least={0.4} spans={phases.map(spanOf)} />
          </div>
        ))}
        <div class="lane">
          <span />
          <Scale from={timeText(from, timeZone)} to={timeText(to, timeZone)} />
        </div>
      </div>
    </section>
  );
};
