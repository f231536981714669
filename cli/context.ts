import type { Deployment, DeploymentLocation } from './connection/deployment.ts';
import type { Terminal } from './output/terminal.ts';

/** What commands have of the world. */
export interface Context {
  readonly terminal: Terminal;
  readonly connect: (where: DeploymentLocation) => Promise<Deployment>;
  readonly clock: () => Date;
  /**
   * From the first call on, Ctrl-C no longer ends the process but aborts this, so that a command can say where it was. A
   * second one does, and says what may be left then.
   */
  readonly interruption: (mayBeLeft?: () => readonly string[]) => AbortSignal;
  /** From the first call on, an output that nobody reads any more no longer ends the process but aborts this. */
  readonly outputClosed: () => AbortSignal;
  /** A variable of the environment: what must be in no command line comes that way. */
  readonly environment: (name: string) => string | undefined;
  /** All of the standard input. */
  readonly readInput: () => Promise<Buffer>;
}

/** What became of a command: 1 if something that was asked for could not be done. */
export type ExitCode = 0 | 1;

/** The context of one run, in which a command also says how it ended. */
export interface RunContext extends Context {
  readonly ends: (code: ExitCode) => void;
}
