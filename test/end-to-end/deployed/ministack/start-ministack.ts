import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Closers } from '../../../../sandbox/frame/lifecycle.ts';
import { freePort, localHost } from '../../../../sandbox/frame/listen.ts';
import { startProcessTree, until } from '../../../support/process-tree.ts';

export interface Ministack {
  readonly endpoint: string;
  /** The lines that it printed since it was ready. */
  readonly log: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const isHealthy = (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts MiniStack with roles and policies enforced, and resolves once it answers. Its files go into `folder`. Its
 * environment holds none of our variables, since deployed functions inherit it.
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
  const crashed = tree.ended.then((code) => {
    throw new Error(`MiniStack ended with ${code}. It printed:\n${lines.join('\n')}`);
  });
  crashed.catch(() => undefined);
  await Promise.race([crashed, until('MiniStack answers', () => isHealthy(endpoint), Boolean, { seconds: 30 })]);
  const greeting = lines.length;
  return { endpoint, log: () => lines.slice(greeting), stop: tree.stop };
};

/** What MiniStack cannot deploy: its name in the setting `leaveOut`, and a description. */
const unsupported = {
  // AWS::Events::Archive
  archive: 'the archive of events',
  // AWS::EventSchemas::Registry and ::Schema
  schemas: 'the schemas of events in the registry',
  // AWS::Logs::QueryDefinition and AWS::Athena::NamedQuery
  queries: 'saved queries',
  // AWS::Events::EventBusPolicy
  'bus-policy': 'rules of other accounts on the bus',
};

/** The value of the setting `leaveOut`. */
export const leaveOut = Object.keys(unsupported).join(',');

/** What a run does not test. The last three are deployed, but do nothing in MiniStack. */
export const untested: readonly string[] = [
  ...Object.values(unsupported),
  'readers in other accounts (npm test simulates their policies)',
  'views of the analytics',
  'the schedules of ticks and of reconciliation',
  'alarms being raised',
];
