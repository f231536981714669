import { createHash } from 'node:crypto';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest. Late ones would leave all processors but one idle at the end. */
const isLong =
  /test\/(end-to-end|faults|docs\/contract)\/|sandbox\/main|cli\/(failed-parts|crash-points|console\/browser)/;

/**
 * Files in the order of the projects, within a project those that take longest first, otherwise at random. Vitest ends a
 * shared process unless the next file is of the same project too.
 */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { projects, config } = this.ctx;
    const orderOf = ({ project, moduleId }: TestSpecification): string => {
      const drawn = createHash('sha1').update(`${config.sequence.seed} ${moduleId}`).digest('hex');
      return `${projects.indexOf(project)} ${isLong.test(moduleId) ? 0 : 1} ${drawn}`;
    };
    const orders = new Map(files.map((file) => [file, orderOf(file)]));
    return files.toSorted((one, other) => ((orders.get(one) ?? '') < (orders.get(other) ?? '') ? -1 : 1));
  }
}

/** How far a test is from the source that it is related to: the file's own tests, its folder's, the rest. */
const distance = (test: string, source: string): number => {
  const name = path.basename(source, '.ts');
  const inItsFolder = path.dirname(test).endsWith(path.join('test', path.dirname(source)));
  if (inItsFolder && path.basename(test).startsWith(`${name}.`)) return 0;
  return inItsFolder || path.dirname(test).endsWith(path.join('test', path.dirname(source), name)) ? 1 : 2;
};

/** Runs the tests first that are likeliest to find what is wrong with a file, and of the others the quickest. */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [source = ''] = this.ctx.config.related ?? [];
    const changed = path.relative(this.ctx.config.root, source);
    const rank = (spec: TestSpecification) => ({
      distance: distance(spec.moduleId, changed),
      duration: this.ctx.cache.getTestSpecificationResult(spec)?.duration ?? 0,
    });
    const ranks = new Map(files.map((spec) => [spec, rank(spec)]));
    return files.toSorted((a, b) => {
      const [one, other] = [ranks.get(a), ranks.get(b)];
      if (one === undefined || other === undefined) return 0;
      return one.distance - other.distance || one.duration - other.duration;
    });
  }
}
