import { useEffect, useState } from 'preact/hooks';
import { useView } from './address.ts';
import { useLive } from './live.ts';
import { counted } from './words.ts';
import './demonstration.css';

const everySeconds = 5;

/** Says that everything here is invented, what to look at, and how much is there. Open on the first page that somebody sees. */
export const Demonstration = () => {
  const { view } = useView().address;
  const [isWhole, setWhole] = useState(false);
  const { value } = useLive('demonstration', {}, isWhole ? undefined : everySeconds);
  const demo = value?.demo;
  useEffect(() => setWhole(value !== undefined && demo?.daysMade === demo?.days), [value]);
  if (demo === undefined) return null;
  const { days, daysMade, problem, links } = demo;
  return (
    <details class="demonstration" open={view === 'floor'}>
      <summary>
        <b>A demonstration.</b> Nobody here exists: people, numbers and calls are invented.{' '}
        <span role="status">{progressText(days, daysMade, problem)}</span>
      </summary>
      <p>Five things to look at:</p>
      <ol>
        {links.map(({ text, hash }) => (
          <li key={hash}>
            <a href={hash}>{text}</a>
          </li>
        ))}
      </ol>
    </details>
  );
};

const progressText = (days: number, made: number, problem: string | undefined): string => {
  if (problem !== undefined) return `Older days could not be made: ${problem}`;
  return made === days ? '' : `Today and yesterday are there; ${counted(days - made, 'older day')} to come.`;
};
