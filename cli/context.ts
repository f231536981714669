import type { Deployment, DeploymentLocation } from './connection/deployment.ts';
import type { Terminal } from './output/terminal.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly connect: (where: DeploymentLocation) => Promise<Deployment>;
  readonly clock: () => Date;
  /**
   * From the first call on, Ctrl-C aborts this signal instead of ending the process, so that a command can stop in order.
   * A second Ctrl-C ends the process and prints `leftovers`: resources that the command has not deleted yet.
   */
  readonly interruption: (leftovers?: () => readonly string[]) => AbortSignal;
  /** From the first call on, a closed output (`| head`) aborts this signal instead of ending the process. */
  readonly outputClosed: () => AbortSignal;
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly readInput: () => Promise<Buffer>;
}

export type ExitCode = 0 | 1;

export interface RunContext extends Context {
  readonly setExitCode: (code: ExitCode) => void;
}
