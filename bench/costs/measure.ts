import { countAll, type EmptyTables } from './count-all.ts';
import { deployedIn } from './deployed.ts';
import { floors } from './floors.ts';
import { type Report, reportOf } from './report.ts';
import { synthesisedResources } from './template.ts';

/** Reads the stack, counts at empty tables, and prices it. `onProgress` is told what is being done. */
export const measure = async (tables: EmptyTables, onProgress?: (what: string) => void): Promise<Report> => {
  onProgress?.('reading the stack');
  const deployed = deployedIn(synthesisedResources());
  const counted = await countAll(tables, deployed, floors, onProgress);
  return reportOf(counted, deployed);
};
