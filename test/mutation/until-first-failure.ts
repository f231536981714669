import { type CancelReason, TestRunner } from 'vitest';

/** Once a test has failed, vitest loads the files that are left all the same, only to skip their tests. */
// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default class UntilFirstFailure extends TestRunner {
  #isOver = false;

  override cancel(reason: CancelReason): void {
    this.#isOver = true;
    super.cancel(reason);
  }

  override importFile(...file: Parameters<TestRunner['importFile']>): unknown {
    return this.#isOver ? undefined : super.importFile(...file);
  }
}
