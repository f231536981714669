import type { CallAnswer, CallRecord } from './call.tsx';
import { Scale, Track } from './track.tsx';
import { useView } from './view.ts';
import { durationText, timeText } from './words.ts';

interface Phase {
  readonly kind: 'ring' | 'talk' | 'wrap-up';
  readonly from: number;
  readonly to: number;
}

const phasesOf = (
  facts: Partial<CallRecord['facts'] & CallAnswer['participants'][number]['facts']>,
): readonly Phase[] => {
  const { startedAt = '', endedAt = '', pickedUpAt, timeToAnswerSeconds = 0, wrapUpSeconds = 0, status } = facts;
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
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

/** What happened when: a lane for the call, each leg and each participant. */
export const TimeLine = ({ answer: { call, participants } }: { readonly answer: CallAnswer }) => {
  const { timeZone } = useView();
  const legs = call?.facts.legs ?? [];
  const lanes = [
    { name: 'call', facts: call?.facts },
    ...legs.map((leg, index) => ({ name: `leg ${index + 1}: ${leg.agentIds?.join(', ') ?? 'no agent'}`, facts: leg })),
    ...participants.map(({ facts }, index) => ({ name: `participant ${index + 1}`, facts })),
  ]
    .map(({ name, facts }) => ({ name, phases: phasesOf(facts ?? {}) }))
    .filter(({ phases }) => phases.length > 0);
  const all = lanes.flatMap(({ phases }) => phases);
  if (all.length === 0) return null;
  const from = Math.min(...all.map((phase) => phase.from));
  const to = Math.max(from + 1, ...all.map((phase) => phase.to));
  const spanOf = ({ kind, ...phase }: Phase) => ({
    ...phase,
    class: kind,
    title: `${kind}: ${timeText(phase.from, timeZone)} to ${timeText(phase.to, timeZone)}`,
    text: `${kind} ${durationText((phase.to - phase.from) / 1000).replaceAll(' ', '\u00a0')}`,
  });
  return (
    <section>
      <h2>Time line</h2>
      <div class="lanes">
        {lanes.map(({ name, phases }) => (
          <div class="lane" key={name}>
            <span>{name}</span>
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
