import { appendFileSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';

/** What a process is asked to do. */
export interface Task {
  /** The tests that are to run, with the ids of the places that each is to try. Without it all run, to see what they reach. */
  readonly places?: Readonly<Record<string, readonly string[]>>;
  /** A place that is changed from the start, before a module loads. A test that notices it is then not sure. */
  readonly always?: string;
  /** A place that a test has noticed is not tried in the tests after it. */
  readonly onceIsEnough?: boolean;
  readonly results: string;
  /** Names the test and the place that are being tried, for when they never end. */
  readonly now: string;
}

/** What is known of a test after it ran without and with changes. */
export interface Tried {
  readonly test: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** It passed without a change, before and after the others. If not, what it says means nothing. */
  readonly isSure: boolean;
  readonly milliseconds: number;
  /** The places that it reached, where all tests run to see that. */
  readonly reached?: readonly string[];
  readonly noticed: readonly string[];
}

/** Places that the modules of a test file reach while they load. */
export interface Loaded {
  readonly loaded: readonly string[];
}

interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
  hitCount?: number;
  hitLimit?: number;
}
// biome-ignore lint/suspicious/noAssignInExpressions: Stryker's own form.
const switches: Switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {});

/** A change of a condition may have a loop never end. */
const hitLimit = 100_000;

const task: Task = JSON.parse(readFileSync(process.env['MUTATION_TASK'] ?? '', 'utf8'));
const now = openSync(task.now, 'w');
switches.activeMutant = task.always;
switches.hitLimit = hitLimit;

/** What the tests that have ended noticed, if that is enough. */
const found = new Set<string>();

/**
 * Runs each test once without a change, once with each change that it reaches, and once more without. The modules stay
 * loaded, so what one of them makes once, such as a schema, hides a change in how it is made.
 */
// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default class EachPlace extends TestRunner {
  #places: readonly (string | undefined)[] = [];
  #isSure = true;
  #startedAt = 0;
  #milliseconds = 0;
  #noticed: string[] = [];

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    const places = task.places === undefined ? [] : task.places[test.id];
    if (places === undefined) test.mode = 'skip';
    const left = (places ?? []).filter((place) => !found.has(place));
    this.#places = task.always === undefined ? [undefined, ...left, undefined] : [undefined];
    Object.assign(test, { repeats: this.#places.length - 1 });
    this.#isSure = true;
    this.#noticed = [];
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options);
    const place = this.#places[options.repeats];
    writeSync(now, `${test.id} ${place ?? ''} `.padEnd(60), 0);
    switches.currentTestId = test.id;
    switches.hitCount = 0;
    switches.activeMutant = place ?? task.always;
    this.#startedAt = performance.now();
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    await super.onAfterRetryTask(test, options);
    switches.activeMutant = task.always;
    const place = this.#places[options.repeats];
    const { result } = test;
    if (place === undefined) {
      this.#milliseconds = performance.now() - this.#startedAt;
      if (result?.state !== 'pass') this.#isSure = false;
    } else if (result?.state === 'fail') {
      this.#noticed.push(place);
    }
    // Thousands of them would fill the memory.
    if (result !== undefined && task.always === undefined)
      Object.assign(result, { state: 'pass', errors: undefined, attempts: [] });
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    const loaded: Loaded = { loaded: Object.keys(switches.mutantCoverage?.static ?? {}) };
    if (task.places === undefined) appendFileSync(task.results, `${JSON.stringify(loaded)}\n`);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    switches.currentTestId = undefined;
    if (task.onceIsEnough === true && this.#isSure) for (const place of this.#noticed) found.add(place);
    const reached = Object.keys(switches.mutantCoverage?.perTest[test.id] ?? {});
    const tried: Tried = {
      test: test.id,
      name: test.fullName,
      file: test.file.name,
      line: test.location?.line ?? 0,
      isSure: this.#isSure,
      milliseconds: this.#milliseconds,
      noticed: this.#noticed,
      ...(task.places === undefined && { reached }),
    };
    appendFileSync(task.results, `${JSON.stringify(tried)}\n`);
  }
}
