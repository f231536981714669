import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest. Late ones would leave all processors but one idle at the end. */
const isLong =
  /test\/(end-to-end|faults|docs\/(contract|commands|nights))|sandbox\/main|cli\/(failed-parts|crash-points)/;

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
