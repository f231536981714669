import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Addresses, SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { checkout, clockAhead, runIn } from '../../support/packed-package.ts';

/** What a command of a page printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** What the page shows below it, with the account and the addresses of the sandbox. */
  readonly shown: readonly string[];
}

/** A command as a page prints it, and how it differs at a sandbox. */
export interface Step {
  readonly text: string;
  /** What is typed into it. */
  readonly typed?: string | undefined;
  /** What the page shows below it. */
  readonly shown?: readonly string[];
  /** It goes on until somebody ends it. */
  readonly isEndless?: boolean;
}

/** A command that goes on is ended after so many seconds. Its exit code then is 124. */
const endlessSeconds = 6;
const endedByUs = 124;

/** Between the output of one command and that of the next. */
const marker = '\u001e';

/**
 * Somebody’s shell in a folder with the package installed, the examples and files that pages name, beside a sandbox. The shell
 * has the sandbox’s clock, which is so many milliseconds ahead.
 */
export const createShell = (
  installed: string,
  { sandbox, aheadMs }: { readonly sandbox: string; readonly aheadMs: number },
) => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-pages-'));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['sandbox', 'docs']) symlinkSync(join(checkout, name), join(folder, name));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  /** A command of the pages may leave out that it goes to the sandbox, as it goes to the deployment there. */
  const npx = (gateway: string) => `#!/bin/bash
# The sandbox polls with the same account, so a minute may have no request left for a try. Rejected requests count too.
if [[ "$*" == *check-accounts*--try* ]]; then
  for attempt in {1..5}; do
    printed=$(${process.execPath} node_modules/callfeed/cli/callfeed.js "\${@:2}" 2> ${folder}/tried); code=$?
    grep -q 'are used up' ${folder}/tried || break
    sleep 61
  done
  printf '%s\\n' "$printed"
  cat ${folder}/tried >&2
  exit $code
fi
case "$*" in *--endpoint*|*' init '*|*check-accounts*) exec ${process.execPath} node_modules/callfeed/cli/callfeed.js "\${@:2}";; esac
exec ${process.execPath} node_modules/callfeed/cli/callfeed.js "\${@:2}" --endpoint ${gateway}
`;

  /** The command with the sandbox’s addresses, and with its account for that of the page. */
  const atSandbox = (text: string, { gateway, provider, dynamodb }: Addresses, secret: string): string =>
    text
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000/g, gateway)
      .replaceAll('http://127.0.0.1:4000', provider)
      .replaceAll('http://127.0.0.1:8000', dynamodb)
      .replaceAll(/ --stack (?:"\$STACK"|callfeed-prod)| --region eu-west-1| --profile ops/g, '')
      .replaceAll(/(?<![$\w.])ACCOUNT(?![\w=])|(?<=\bACCOUNT=)acme|(?<=--account )acme/g, 'demo')
      .replaceAll(
        /(?<=quarantine (?:show|redrive|dismiss) )ID\b/g,
        '$(npx callfeed quarantine list --json | jq -rs .[0].id)',
      )
      .replaceAll(/(?<=call )ID\b/g, '12345678901234567890')
      .replaceAll('"UserName": "acme"', '"UserName": "demo"')
      // Nobody is at a terminal to say so.
      .replace(/callfeed erase (?!.*(?:--dry-run|--yes)).*/, '$& --yes')
      .replaceAll('--secret-id ARN', `--secret-id ${secret}`);

  return {
    folder,
    file: (name: string, text: string) => writeFileSync(join(folder, name), text),
    /** Runs the commands one after the other in one shell, and goes on after one that fails. */
    async run(steps: readonly Step[]): Promise<readonly Ran[]> {
      const { accountsSecret, addresses } = (await (await fetch(sandbox)).json()) as SandboxState;
      writeFileSync(join(bin, 'npx'), npx(addresses.gateway));
      chmodSync(join(bin, 'npx'), 0o755);
      const outputs = `output() { case $1 in AccountsSecretArn) echo ${accountsSecret};; CallbackUrl) echo ${addresses.gateway};;
        AgentsTableName) echo callfeed-agents;; *) return 9;; esac; }`;
      const script = steps.map(({ text, typed, isEndless = false }) => {
        const here = atSandbox(text, addresses, accountsSecret);
        const limited = isEndless ? here.replace(/^(?:npx|curl)/, `timeout ${endlessSeconds} $&`) : here;
        const fed = typed === undefined ? `{ ${limited}\n} < /dev/null` : `{ ${limited}\n} <<< '${typed}'`;
        return `${fed}\nprintf '${marker}%s${marker}' $?\nprintf '${marker}' >&2`;
      });
      const { output, errors } = await runIn(
        folder,
        'bash',
        ['-c', ['set -o pipefail', outputs, ...script].join('\n')],
        {
          environment: {
            ...clockAhead(aheadMs),
            AWS_REGION: 'local',
            AWS_DEFAULT_REGION: 'local',
            AWS_ACCESS_KEY_ID: 'any',
            AWS_SECRET_ACCESS_KEY: 'any',
            AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamodb,
            AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.secretsmanager,
            COLUMNS: '1000',
            NO_COLOR: '1',
            PATH: `${bin}:${inject('pythonPrograms')}:${process.env['PATH']}`,
          },
        },
      );
      const parts = output.split(marker);
      const errorsOf = errors.split(marker);
      return steps.map(({ isEndless, shown = [] }, index) => {
        const code = Number(parts[2 * index + 1] ?? -1);
        const isAsExpected = isEndless === true && code === endedByUs;
        return {
          code: isAsExpected ? 0 : code,
          output: parts[2 * index] ?? '',
          errors: errorsOf[index] ?? '',
          shown: shown.map((line) => line.replace(/^acme:/, 'demo:').replace('https://SERVICE', addresses.provider)),
        };
      });
    },
  };
};
