import { useView } from './address.ts';
import { besideOf, type DayAnswer, figureOf, figureText, ToCalls } from './figures.tsx';
import { Faint, Link } from './parts.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { clockText } from './words.ts';

const figureColumns = [
  'calls',
  'offered',
  'answered',
  'answeredByOthers',
  'missed',
  'undecided',
  'serviceLevel',
  'answeredLate',
  'abandonment',
  'timeToAnswerMedianSeconds',
  'handleMedianSeconds',
  'talkMedianSeconds',
  'holdMedianSeconds',
  'wrapUpMedianSeconds',
  'loggedInSeconds',
  'occupancy',
];

type Group = DayAnswer['groups'][number];

export const DayTable = ({ answer: { groups, by } }: { readonly answer: DayAnswer }) =>
  groups.length > 0 && (
    <div class="wide">
      <PageTable
        class="groups"
        columns={[
          { name: by, cell: (group) => <Head {...{ group, by }} /> },
          ...figureColumns.flatMap((name) => columnOf(name, groups)),
        ]}
        rows={groups}
        keyOf={({ label }) => label}
      />
    </div>
  );

const Head = ({ group: { key, label, figures, opens }, by }: Pick<DayAnswer, 'by'> & { readonly group: Group }) => {
  const { within } = useView().address.query;
  return by === 'day' ? (
    <Link view="day" query={{ day: key, within }}>
      {label}
    </Link>
  ) : (
    <ToCalls opens={figureOf(figures, 'calls')?.opens} list={opens}>
      {label}
    </ToCalls>
  );
};

const columnOf = (name: string, groups: readonly Group[]): readonly PageColumn<Group>[] => {
  const of = (group: Group) => figureOf(group.figures, name);
  const figures = groups.flatMap((group) => of(group) ?? []);
  const [first] = figures;
  // Where it is known of every call whether it was answered, that needs no column.
  if (first === undefined || (name === 'undecided' && figures.every(({ value }) => value === 0))) return [];
  const shares = figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
  const most = Math.max(...figures.map(({ value = 0 }) => value));
  return [
    {
      name: `${first.title}${name.includes('Median') ? ' / average' : shares}`,
      cell: (group) => <Cell {...{ name, group, most }} />,
      isFigure: true,
      sortBy: (group) => of(group)?.value ?? -1,
    },
  ];
};

/** A figure over a bar, which is as long as the figure is large in its column. */
const Cell = ({ name, group: { figures, opens }, most }: { name: string; group: Group; most: number }) => {
  const figure = figureOf(figures, name);
  if (figure === undefined) return <>–</>;
  const { value, unit, note } = figure;
  const beside = value === undefined ? undefined : besideOf(figure, figures, clockText);
  return (
    <span title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? ((value ?? 0) / most) * 90 : 0}%` }} />
      <ToCalls opens={figure.opens} list={opens}>
        {figureText(figure, clockText)}
      </ToCalls>
      {beside !== undefined && <Faint> {unit === 'seconds' ? `/ ${beside}` : `(${beside})`}</Faint>}
    </span>
  );
};
