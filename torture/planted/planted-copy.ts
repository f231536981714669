import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { type PlantedFault, withFault } from './planted-fault.ts';

/** A copy of the project in a folder of its own. */
export interface PlantedCopy {
  readonly folder: string;
  readonly remove: () => void;
}

/** What git knows or would take, so that a change under way is tried as well, and nothing that was built. */
const filesOf = (project: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
    .toString()
    .split('\0')
    .filter((file) => file !== '');

/** Copies the project, its packages linked, and puts the fault into the copy. */
export const plantedCopy = (project: string, fault: PlantedFault): PlantedCopy => {
  const { path: folder, remove } = temporaryFolder('planted');
  try {
    for (const file of filesOf(project)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(project, file), join(folder, file));
    }
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    const place = join(folder, fault.file);
    writeFileSync(place, withFault(readFileSync(place, 'utf8'), fault));
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
