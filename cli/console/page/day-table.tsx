import { useView } from './address.ts';
import { type DayAnswer, figureOf, figureText, ToCalls } from './figures.tsx';
import { Faint, Link } from './parts.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { TargetMark, targetsIn } from './targets.tsx';
import { clockText, percentText } from './words.ts';

type Group = DayAnswer['groups'][number];

export const DayTable = ({ answer: { groups, columns, by } }: { readonly answer: DayAnswer }) =>
  groups.length > 0 && (
    <div class="wide">
      <PageTable
        class="groups"
        columns={[
          { name: by, cell: (group) => <Head {...{ group, by }} /> },
          ...columns.map((column) => figureColumn(column, groups)),
        ]}
        rows={groups}
        keyOf={({ label }) => label}
      />
    </div>
  );

const Head = ({ group: { key, label, figures, opens }, by }: Pick<DayAnswer, 'by'> & { readonly group: Group }) => {
  const { address } = useView();
  const { within } = address.query;
  return by === 'day' ? (
    <Link view="day" query={{ day: key, within, ...targetsIn(address) }}>
      {label}
    </Link>
  ) : (
    <ToCalls opens={figureOf(figures, 'calls')?.opens} list={opens}>
      {label}
    </ToCalls>
  );
};

const figureColumn = ({ name, title }: DayAnswer['columns'][number], groups: readonly Group[]): PageColumn<Group> => {
  const shownIn = ({ figures }: Group) => figureOf(figures, name)?.value;
  const most = Math.max(...groups.map((group) => shownIn(group) ?? 0));
  return {
    name: title,
    cell: (group) => <Cell {...{ name, group, most }} />,
    isFigure: true,
    sortBy: (group) => shownIn(group) ?? -1,
  };
};

/** A figure on a bar, which is as long as the figure is large in its column. */
const Cell = ({ name, group: { figures, opens }, most }: { name: string; group: Group; most: number }) => {
  const figure = figureOf(figures, name);
  if (figure === undefined) return <>–</>;
  const { value, note, share, otherStatistic } = figure;
  return (
    <span title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? ((value ?? 0) / most) * 90 : 0}%` }} />
      <TargetMark name={name} value={value} />
      <ToCalls opens={figure.opens} list={opens}>
        {figureText(figure, clockText)}
      </ToCalls>
      {share !== undefined && <Faint> ({percentText(share)})</Faint>}
      {otherStatistic !== undefined && <Faint> / {clockText(Math.round(otherStatistic.value))}</Faint>}
    </span>
  );
};
