import { recordedInTime } from '../../lib/calls/call-keys.ts';
import type { Row } from '../../lib/storage/rows.ts';
import type { Context } from '../frame/command.ts';
import type { Deployment, DeploymentLocation } from '../frame/deployment.ts';
import { Problem, settled } from '../frame/problem.ts';
import type { CallName } from '../frame/rows.ts';
import { printable, type Terminal } from '../frame/terminal.ts';

/** What a command could not prove, printed as “Not proven: …”. */
export interface Gap {
  readonly what: string;
  readonly ids?: readonly string[];
  /** The command to run, a sentence that says what to do, or this command again. */
  readonly remedy: string | Again;
  /** A further line below. */
  readonly more?: string | undefined;
}

/** This command is to be run again, perhaps with an option that it lacked. */
export interface Again {
  /** Options with their values, such as `report-wait`. */
  readonly again: Readonly<Record<string, string>>;
  /** When, or with what, in words before the command. */
  readonly when?: string;
}

/** A gap as it is printed, with the whole command where this one is to be run again. */
export const printedGap = ({ remedy, ...gap }: Gap, commandWith: (options: Again['again']) => string) => {
  if (typeof remedy === 'string') return { ...gap, mend: remedy };
  const command = commandWith(remedy.again);
  return { ...gap, mend: remedy.when === undefined ? command : `${remedy.when}: ${command}` };
};
export type PrintedGap = ReturnType<typeof printedGap>;

/** What is known of a part of the deployment, or of a call report. */
export interface PartFindings {
  readonly json: unknown;
  readonly gaps: readonly Gap[];
  readonly note?: string | undefined;
}

/** What looks at each call while the rows are read, and says at the end what it found. */
export interface CallInspection {
  readonly onCall: (call: CallName & { readonly listedAt: string }, rows: readonly Row[]) => void;
  readonly find: () => Promise<PartFindings>;
}

export interface Inspection extends Pick<Context, 'terminal' | 'clock'> {
  readonly location: DeploymentLocation;
  readonly stop: AbortSignal;
}

/** Both ends are included. */
export type VerifiedRange = Readonly<Record<'from' | 'to', string>>;

/** Whose calls are looked for, and of when. */
export interface VerifiedPart {
  readonly deployment: Deployment;
  readonly location: DeploymentLocation;
  readonly accounts: readonly string[];
  readonly range: VerifiedRange;
}

export const isWithin = (at: string, { from, to }: VerifiedRange): boolean => at >= from && at <= to;

/** Whether a post may be about a call of the range: it may come that much later than the call. */
export const mayBeAboutRange = ({ from, to }: VerifiedRange, receivedAt: string): boolean =>
  isWithin(receivedAt, { from, to: new Date(Date.parse(to) + recordedInTime.afterMs).toISOString() });

/** A part of the deployment under its name in `--json`. One that cannot be read has no value there, and is a gap. */
export const partOf = async (run: Inspection, name: string, what: string, reading: Promise<PartFindings>) => {
  const { value, gaps } = await lookAt(run, what, reading);
  return { name, json: value?.json, note: value?.note, gaps };
};

/** Looks at a part of the deployment. One that does not answer is a gap itself: what the others have is shown without it. */
export const lookAt = async <Value extends Pick<PartFindings, 'gaps'>>(
  { stop }: Inspection,
  what: string,
  reading: Promise<Value>,
): Promise<{ readonly value?: Value; readonly gaps: readonly Gap[] }> => {
  const read = await settled(reading);
  rejectIfStopped(stop);
  if ('value' in read) return { value: read.value, gaps: read.value.gaps };
  const gap = { what: `the ${what} could not be read. ${withoutStop(read.unknown)}`, remedy: { again: {} } };
  return { gaps: [gap] };
};

export const progressPrinter =
  ({ terminal, stop }: Inspection, what: string) =>
  (count: number): void => {
    rejectIfStopped(stop);
    terminal.progress(printable(`${what}: ${count}`));
  };

const rejectIfStopped = (stop: AbortSignal): void => {
  if (stop.aborted) throw new Problem('Stopped; nothing was written.');
};

export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

export const gapIf = (isGap: boolean, gap: Gap): readonly Gap[] => (isGap ? [gap] : []);

export const gapOf = (count: number, gap: Gap): readonly Gap[] => gapIf(count > 0, gap);

export const printGaps = (terminal: Terminal, gaps: readonly PrintedGap[]): void => {
  for (const { what, ids = [], mend, more } of gaps) {
    printParagraph(terminal, `Not proven: ${what}.`);
    const others = ids.length > maxIds ? `; and ${ids.length - maxIds} more, which --json lists` : '';
    if (ids.length > 0) terminal.print(printable(`  ${ids.slice(0, maxIds).join('; ')}${others}`));
    terminal.print(printable(`  To mend it: ${mend}`));
    if (more !== undefined) terminal.print(printable(`  ${more}`));
  }
};

/** Longer lists are in `--json` only. */
export const maxIds = 10;

export const printParagraph = ({ print }: Terminal, line: string): void => {
  print('');
  print(printable(line));
};
