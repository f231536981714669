import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Closers } from '../../../../sandbox/closers.ts';
import { freePort, localHost } from '../../../../sandbox/http/listen.ts';
import { until } from '../assertions.ts';
import { startProcessTree } from '../process-tree.ts';

/** An emulated AWS. */
export interface Ministack {
  readonly endpoint: string;
  /** What it has printed since it answered. */
  readonly log: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const isHealthy = (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts MiniStack with roles and policies enforced, and resolves once it answers. All it writes goes into `folder`; its
 * environment has nothing of ours, since deployed functions inherit it.
 */
export const startMinistack = async (python: string, folder: string, closers: Closers): Promise<Ministack> => {
  const port = await freePort({ number: 0, flag: 'MiniStack' });
  const temporary = join(folder, 'ministack');
  await mkdir(temporary);

  const lines: string[] = [];
  const tree = startProcessTree({
    command: python,
    args: ['-m', 'hypercorn', 'serve:app', '--bind', `${localHost}:${port}`, '--keep-alive', '75'],
    folder: temporary,
    environment: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: temporary,
      TMPDIR: temporary,
      STATE_DIR: join(temporary, 'state'),
      S3_DATA_DIR: join(temporary, 's3'),
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: '1',
      GATEWAY_PORT: String(port),
      AUTH: 'true',
    },
    onLine: (line) => lines.push(line),
  });
  closers.add(tree.stop);
  const endpoint = `http://${localHost}:${port}`;
  const died = tree.ended.then((code) => {
    throw new Error(`MiniStack ended with ${code}. It printed:\n${lines.join('\n')}`);
  });
  died.catch(() => undefined);
  await Promise.race([died, until('MiniStack answers', () => isHealthy(endpoint), Boolean, { seconds: 30 })]);
  const greeting = lines.length;
  return { endpoint, log: () => lines.slice(greeting), stop: tree.stop };
};

/** What MiniStack cannot deploy: the names that the setting `leaveOut` has for it, and what it is. */
const unsupported = {
  // AWS::Events::Archive
  archive: 'the archive of events',
  // AWS::EventSchemas::Registry and ::Schema
  schemas: 'the schemas of events in the registry',
  // AWS::Logs::QueryDefinition
  queries: 'saved queries',
  // AWS::Events::EventBusPolicy
  'bus-policy': 'rules of other accounts on the bus',
};

/** The setting with which the stack is deployed. */
export const leaveOut = Object.keys(unsupported).join(',');

/** What a run does not show, in words: the last two are deployed, but do nothing in MiniStack. */
export const untested: readonly string[] = [
  ...Object.values(unsupported),
  'the schedule of ticks',
  'alarms being raised',
];
