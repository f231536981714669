import { commandLine, type DeploymentLocation } from '../frame/deployment.ts';
import type { HealthText } from '../frame/feature.ts';
import { printable, styled, type Terminal } from '../frame/terminal.ts';

/** Something that needs somebody, as `status` prints it and has it in `--json`. */
export interface Warning {
  /** In capitals, such as STALE. */
  readonly word: string;
  readonly account?: string;
  /** What is wrong, and what to do. */
  readonly text: string;
  /** The command to run next. */
  readonly command?: string;
}

/** What a part of the deployment, or of an account, needs, if it is bad. */
export const warningsOf = (
  { title, account }: { readonly title: string; readonly account?: string },
  { verdict, lines: [line = ''], word, command }: HealthText,
  location: DeploymentLocation,
): readonly Warning[] => {
  if (verdict !== 'bad') return [];
  const what = [line].flat().join(' ');
  return [
    {
      word: word ?? title.toUpperCase(),
      ...(account !== undefined && { account }),
      text: account === undefined ? what : `${account}: ${what}`,
      ...(command !== undefined && { command: commandLine(location, ...command) }),
    },
  ];
};

export const warningLine = (terminal: Terminal, { word, text, command }: Warning): string =>
  styled(terminal, 'red', printable([`${word}: ${text}`, ...(command === undefined ? [] : [command])].join(' ')));
