import type { CallfeedClient, Floor } from 'callfeed/client';
import { screen } from './screen.ts';

/** How a floor is shown. */
export interface Showing {
  /** Gets the whole picture each time. */
  readonly show: (picture: string) => void;
  /** How often it is drawn anew between two looks, in milliseconds, so that times run on; not at all unless told. */
  readonly redrawEveryMs?: number;
  readonly signal: AbortSignal;
}

/** Shows the floor until the signal aborts. When a look fails the last picture stays up, and says how old it is. */
export const showFloor = async (
  callfeed: Pick<CallfeedClient, 'watch'>,
  { show, redrawEveryMs, signal }: Showing,
): Promise<void> => {
  let latest: Floor | undefined;
  let trouble = '';
  const draw = () => show(`${latest ? screen(latest, new Date()) : ''}${trouble}`);
  const redrawing = redrawEveryMs === undefined ? undefined : setInterval(draw, redrawEveryMs);
  const onError = (error: unknown) => {
    trouble = `\nThe table cannot be read (${error instanceof Error ? error.name : 'unknown'}).\n`;
    draw();
  };

  try {
    // It yields when an agent changes, at each poll, and at the moment at which the picture grows stale.
    for await (latest of callfeed.watch({ signal, onError })) {
      if (latest.freshness === 'live') trouble = '';
      draw();
    }
  } finally {
    clearInterval(redrawing);
  }
};
