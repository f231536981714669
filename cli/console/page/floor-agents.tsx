import { useRef, useState } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { replaceQuery, useView } from './address.ts';
import { NumberInput } from './fields.tsx';
import { useKept } from './kept.ts';
import { useNow } from './live.ts';
import { Faint, Link, Skills, State } from './parts.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { clockText, counted, hidden } from './words.ts';

export type FloorAgent = NonNullable<Answers['floor']['agents']>[number];

/** The minutes from which on a state lasts too long: as an older address has them, else as this browser keeps them. */
const useLimit = (state: 'acw' | 'pause', usual: number) => {
  const { address } = useView();
  const [kept, keep] = useKept(`${state}-minutes`);
  const choose = (value: string) => {
    keep(value);
    replaceQuery(address, { [state]: undefined });
  };
  return { minutes: Number(address.query[state] ?? kept) || usual, choose };
};

interface AgentRowsProps {
  readonly agents: readonly FloorAgent[];
  readonly staleSince: string | undefined;
}

const inSight = 60;

/** Only the rows in sight are in the page, so that thousands of agents cost no more than some. */
export const AgentRows = ({ agents, staleSince }: AgentRowsProps) => {
  const { at: until } = useView();
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const end = Date.parse(until ?? staleSince ?? new Date(now).toISOString());
  const limits = { acw: useLimit('acw', 5), pause: useLimit('pause', 15) };
  const rowHeight = matchMedia('(max-width: 600px)').matches ? 52 : 28;
  const from = Math.max(0, Math.min(first, agents.length - inSight));
  const rows = agents.slice(from, from + inSight);
  const isLong = ({ state, since }: FloorAgent): boolean => {
    const minutes = (end - Date.parse(since)) / 60_000;
    return (state === 'acw' || state === 'pause') && minutes > limits[state].minutes;
  };
  const columns: readonly PageColumn<FloorAgent>[] = [
    { name: 'State', cell: ({ state }) => <State state={state} /> },
    {
      name: 'Agent',
      cell: ({ agentId, name = hidden }) => (
        <>
          <Link view="agent" id={agentId} query={{ at: until }}>
            {agentId}
          </Link>
          {name !== hidden && <Faint> {name}</Faint>}
        </>
      ),
    },
    {
      name: 'In state',
      cell: (agent) => (
        <span title={`since ${agent.since} (UTC)`}>
          {clockText((end - Date.parse(agent.since)) / 1000)}
          {isLong(agent) && <span class="hidden"> too long</span>}
        </span>
      ),
      isFigure: true,
    },
    { name: 'Skills', cell: ({ skills }) => <Skills names={skills} /> },
  ];
  const scrolled = () => setFirst(Math.max(0, Math.floor((box.current?.scrollTop ?? 0) / rowHeight) - 10));
  // The box takes seven tenths of the window, and its first row is the head.
  const inBox = Math.floor((innerHeight * 0.7) / rowHeight) - 1;
  return (
    <>
      <section class="rows" ref={box} onScroll={scrolled} aria-label="Agents">
        <PageTable
          class="list agents"
          columns={columns}
          rows={rows}
          keyOf={({ agentId }) => agentId}
          itemOf={(agent) => (isLong(agent) ? 'item long' : 'item')}
          window={{ before: from, after: agents.length - from - rows.length, rowHeight }}
        />
      </section>
      {agents.length > inBox && <p class="faint">Scroll the list to see all {counted(agents.length, 'agent')}.</p>}
      <div class="filters">
        Too long:
        {(['acw', 'pause'] as const).map((state) => (
          <NumberInput
            key={state}
            {...{ before: `${wordText(state)} over`, after: 'min', min: 1, max: 999 }}
            value={limits[state].minutes}
            onPick={limits[state].choose}
          />
        ))}
      </div>
    </>
  );
};
