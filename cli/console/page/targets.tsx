import { useEffect } from 'preact/hooks';
import { callFigureDeclarations } from '../../../client/call-figures.ts';
import { pointsFromTarget } from '../../../client/compared-figures.ts';
import { targetFigures } from '../../../client/shown-figures.ts';
import { replaceQuery, useView } from './address.ts';
import { NumberInput } from './fields.tsx';
import type { Address, PageQuery } from './hash.ts';
import { kept } from './kept.ts';
import { counted } from './words.ts';

const declared = targetFigures.map((name) => ({ name, ...callFigureDeclarations[name] }));

/** A target is a whole number of percent. Anything else in an address is none. */
const percentIn = (text = ''): number | undefined =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100 ? Number(text) : undefined;

/** The targets of an address, for the links to other days. */
export const targetsIn = ({ query }: Pick<Address, 'query'>): PageQuery =>
  Object.fromEntries(declared.flatMap(({ target }) => (target === undefined ? [] : [[target, query[target]]])));

/** The targets that this browser keeps come into an address that has none, so that a copied link shows the same. */
export const useKeptTargets = () => {
  const { address } = useView();
  useEffect(() => {
    const missing = declared.flatMap(({ target = '' }): readonly [string, string][] => {
      const own = kept(target).get() ?? '';
      return address.query[target] === undefined && own !== '' ? [[target, own]] : [];
    });
    if (missing.length > 0) replaceQuery(address, Object.fromEntries(missing));
  }, [address]);
};

export interface Target {
  readonly percent: number;
  /** Which side of the target is the wrong one, by a mark and a word. */
  readonly wrongSide: { readonly mark: string; readonly word: string };
  /** How many points a share is on that side; 0 where it meets the target. */
  readonly unmetBy: (share: number) => number;
}

/** The target of a figure; undefined where it has none, or where nobody has set it. */
export const useTarget = (name: string): Target | undefined => {
  const { query } = useView().address;
  const about = declared.find((one) => one.name === name);
  const percent = about?.target === undefined ? undefined : percentIn(query[about.target]);
  if (about === undefined || percent === undefined) return undefined;
  const isLeast = about.better === 'more';
  return {
    percent,
    wrongSide: isLeast ? { mark: '▼', word: 'below' } : { mark: '▲', word: 'above' },
    unmetBy: (share) => pointsFromTarget(about, share, percent),
  };
};

const pointsText = (points: number): string => counted(points, 'point');

/** A field for each target. A choice is kept for this browser, and stands in the address. */
export const TargetInputs = () => {
  const { address } = useView();
  const choose = (target: string, text: string) => {
    kept(target).set(text);
    replaceQuery(address, { [target]: text });
  };
  return declared.map(({ name, title, better, target = '' }) => (
    <NumberInput
      key={name}
      before={`${title} target: ${better === 'more' ? 'at least' : 'at most'}`}
      after="%"
      min={1}
      max={100}
      value={percentIn(address.query[target])}
      onPick={(text) => choose(target, text)}
    />
  ));
};

interface VerdictProps {
  readonly name: string;
  readonly value: number | undefined;
}

/** Whether a figure meets its target, in words. */
export const TargetVerdict = ({ name, value }: VerdictProps) => {
  const target = useTarget(name);
  if (target === undefined || value === undefined) return null;
  const { percent, wrongSide, unmetBy } = target;
  const points = unmetBy(value);
  return points === 0 ? (
    <div class="verdict good">✓ meets the target of {percent}&nbsp;%</div>
  ) : (
    <div class="verdict bad">
      {wrongSide.mark} {pointsText(points)} {wrongSide.word} the target of {percent}&nbsp;%
    </div>
  );
};

/** The verdict in a table: the mark alone, with its words on hover and for screen readers. */
export const TargetMark = ({ name, value }: VerdictProps) => {
  const target = useTarget(name);
  const points = target === undefined || value === undefined ? 0 : target.unmetBy(value);
  if (target === undefined || points === 0) return null;
  const { percent, wrongSide } = target;
  return (
    <b class="verdict bad" title={`${pointsText(points)} ${wrongSide.word} the target of ${percent} %`}>
      {wrongSide.mark}
      <span class="hidden"> {wrongSide.word} the target,</span>{' '}
    </b>
  );
};
