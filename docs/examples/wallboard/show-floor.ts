import type { CallfeedClient, Floor } from 'callfeed/client';
import { screen } from './screen.ts';

/** Where and how often to show the agents. */
export interface ShowOptions {
  /** Gets the full screen each time. */
  readonly show: (text: string) => void;
  /** How often to redraw between two reads, in milliseconds, so that times advance. Default: never. */
  readonly redrawEveryMs?: number;
  readonly signal: AbortSignal;
}

/** Shows the agents until the signal aborts. When a read fails, the last agents stay, with their age and the error. */
export const showFloor = async (
  callfeed: Pick<CallfeedClient, 'watch'>,
  { show, redrawEveryMs, signal }: ShowOptions,
): Promise<void> => {
  let latest: Floor | undefined;
  let problem = '';
  const draw = () => show(`${latest ? screen(latest, new Date()) : ''}${problem}`);
  const timer = redrawEveryMs === undefined ? undefined : setInterval(draw, redrawEveryMs);
  const onError = (error: unknown) => {
    problem = `\nThe table cannot be read (${error instanceof Error ? error.name : 'unknown'}).\n`;
    draw();
  };

  try {
    // Yields when an agent changes, at each poll, and when the data becomes stale.
    for await (latest of callfeed.watch({ signal, onError })) {
      if (latest.freshness === 'live') problem = '';
      draw();
    }
  } finally {
    clearInterval(timer);
  }
};
