import type { Snippet } from '../../support/repository-files.ts';

const drawing = 'A drawing.';

/**
 * The blocks that no test of all pages runs as they are printed, by a text in each, and why: none can, or the named test does.
 * `$` stands before a command that alone is left out of its block. Any other block is run, so a new one is run too: commands by
 * `commands.long.ts` beside this file, TypeScript and JSON by `test/docs/snippets` and `test/cdk/snippets.test.ts`. A block in
 * another language needs a line here.
 */
export const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'telephony service                     your AWS account': drawing,
    'npm ci && npm start': 'The test has started the sandbox in this way; `npm test` would run itself.',
    'npm ci && npx cdk deploy': 'It deploys; npm run e2e deploys a checkout too.',
    'npx callfeed init': 'npm run e2e deploys by these commands.',
  },
  'docs/consuming.md': {
    "await mkdir('tickets'": 'test/docs/three-programs.long.ts runs it, as the next two.',
    "await mkdir('calls'": 'The same.',
    'of callfeed.watch(': 'The same.',
    'npm pack': 'test/package installs the packed package.',
    'npm init --yes': 'test/docs/three-programs.long.ts runs it.',
    'export PYTHONPATH': 'test/docs/questions.long.ts runs the programs in Python so.',
    '```python': 'The same.',
  },
  'CONTRIBUTING.md': { 'npm ci': 'CI runs these.', 'npx vitest run': 'They are tests.' },
  'docs/configuration.md': { 'npx cdk deploy': 'It deploys; npm run e2e deploys with settings.' },
  'docs/contract.md': {
    'npm ci && npm start': 'The test has started the sandbox in this way.',
    'aws events put-rule': 'The sandbox has no rules of EventBridge, and no CloudFormation.',
    'aws sqs receive-message': 'It reads the queue of the block above.',
    'aws events remove-targets': 'It removes what the blocks above made.',
    'aws ssm get-parameters-by-path': 'The sandbox has no parameters.',
  },
  'docs/command-line.md': {
    '$ npx callfeed init --alarm-email ops@example.com': 'npm run e2e begins by it.',
    '$ npx callfeed query service-level-by-hour-and-skill --from 2026-11-01 --to 2026-11-30':
      'The sandbox has no Athena. test/cli/analytics/query.test.ts asks a stand-in.',
    '$ npx callfeed query --sql "SELECT skill_name, sum(offered) AS offered FROM call_quarters GROUP BY skill_name"':
      'The same.',
    'aws events remove-targets': 'The sandbox has no rules of EventBridge.',
    'aws events start-replay': 'The sandbox has no archive of events, as MiniStack has none.',
    '$ npx callfeed reconcile --last 15 --dry-run --account acme':
      'It reads the report of 15 days, two requests a minute.',
    '\'{":pk": {"S": "erasure"}}\'': 'It needs the name of a deployed table.',
  },
  'docs/deploying.md': {
    'callfeed-prod.CallbackUrl =': 'It deploys; test/cdk/snippets.test.ts has an output of each name.',
    '"Principal": { "Service": "events.amazonaws.com" }':
      'test/cdk/constructs/encryption-key.test.ts compares it with the construct’s own policy.',
    'npx cdk bootstrap': 'npm run e2e deploys, as the README says.',
    'aws iam create-policy': 'The policies are held against what AWS publishes (test/cdk/static-checks).',
    'npx cdk deploy': 'npm run e2e deploys.',
    'output() {': 'The sandbox has no CloudFormation: the test has an output of its own.',
    'aws cloudformation update-termination-protection': 'npm run e2e removes the protection, and destroys.',
    'aws dynamodb delete-table': 'It deletes a deployment’s tables.',
  },
  'docs/operations.md': { '*/10 * * * *': 'A line of a crontab: test/cli/status/status.test.ts runs its command.' },
  'docs/runbook.md': {
    'output() {': 'The sandbox has no CloudFormation: the test has an output of its own.',
    'npx callfeed verify': 'It asks for a stretch of a deployment’s life; docs/command-line.md has such commands.',
    'aws lambda': 'The sandbox has no Lambda.',
    'aws s3 ': 'The sandbox has no buckets.',
    BusDeadLettersUrl: 'The sandbox’s bus has no dead letters.',
    RecordingsDeadLettersUrl: 'The sandbox has no output of it.',
    AnalyticsUndeliveredUrl: 'The sandbox has no Firehose.',
    'npx callfeed replay': 'docs/command-line.md has such a command, which runs.',
    'KEY=$KEY': 'test/docs/runbook.long.ts changes a key by all blocks of this section.',
    'printf %s "$changed"': 'The same.',
    'read -rs KEY': 'The same.',
    AWSPREVIOUS: 'The same.',
    '"key change"': 'The same.',
    'npx cdk deploy': 'It deploys.',
    'read -rs NEW': 'test/docs/runbook.long.ts runs the section.',
    '"$NEW"': 'The same.',
  },
  'docs/examples/another-account/README.md': {
    "Callfeed's account": drawing,
    'npx cdk deploy': 'npm run e2e deploys another team’s stack.',
    'npm run deploy': 'The same.',
  },
  'docs/examples/crm-lead/README.md': {
    '"external_id"': 'test/docs/examples/crm-lead.long.ts compares its fields with what the stack sends.',
    "Callfeed's bus": drawing,
    'npm run deploy': 'It deploys; test/docs/examples/crm-lead.long.ts synthesises the stack.',
    'npx callfeed replay': 'docs/command-line.md has such a command, which runs.',
  },
  'docs/examples/live-wallboard/README.md': {
    "Callfeed's bus": drawing,
    'npm start': 'test/docs/examples/live-wallboard.long.ts runs the example.',
    'npm run deploy': 'It deploys; the same test synthesises the stack.',
    'npm run page': 'It serves until Ctrl-C; the same test opens the page.',
  },
  'docs/examples/missed-call-message/README.md': {
    "Callfeed's bus": drawing,
    'npm start': 'test/docs/examples/missed-call-message.long.ts runs the example.',
    curl: 'The example has to listen in another terminal.',
    'npm run deploy': 'It deploys; the same test synthesises the stack.',
  },
  'docs/examples/python-subscriber/README.md': {
    "Callfeed's bus": drawing,
    'npm start': 'test/docs/examples/python-subscriber.long.ts runs the example.',
    curl: 'The example has to listen in another terminal.',
    'npm run deploy': 'It deploys; the same test synthesises the stack.',
  },
  'docs/examples/subscriber/README.md': {
    "Callfeed's bus": drawing,
    'npm start': 'test/docs/examples/subscriber.long.ts runs the example.',
    'npm run deploy': 'It deploys; the same test synthesises the stack.',
    curl: 'The example has to listen in another terminal.',
  },
  'docs/recordings.md': {
    "the call's event ─▶ queue": drawing,
    'npx cdk deploy': 'It deploys; npm run e2e archives a recording.',
  },
  'docs/analytics.md': {
    'event bus ─▶ rule': drawing,
    'aws lakeformation': 'The sandbox has no Lake Formation.',
    'query service-level-by-hour-and-skill':
      'The sandbox has no Athena, and writes no files here. test/cli/analytics/query.test.ts asks both.',
    'npx callfeed replay': 'docs/command-line.md has such a command, which runs.',
    'aws events start-replay': 'The sandbox has no archive of events.',
  },
  'docs/forwarding.md': { 'service ─▶ Callfeed': drawing },
  'docs/questions.md': {
    '```python': 'test/docs/questions.long.ts runs the answer to each question.',
    '```ts': 'The same.',
  },
  'docs/reliability.md': { 'npm run faults': 'It takes more than an hour. CONTRIBUTING.md says when it is run.' },
  'docs/console.md': {
    '$ npm start -- --demo': 'test/sandbox/demo/demo.long.ts starts a demonstration.',
    '$ npm start -- --personal': 'The test has started the sandbox, of which a process can have one.',
  },
  'docs/sandbox.md': { 'npm start': 'The test has started the sandbox in this way, at free ports.' },
  'docs/performance.md': { 'npm run bench': 'It takes some minutes. CONTRIBUTING.md says when it is run.' },
  'docs/examples/README.md': { 'npm pack': 'test/support/packed-package.ts packs, for every test of the examples.' },
  'docs/upgrading.md': { 'npx cdk diff': 'npm run e2e upgrades.' },
  'docs/evaluating.md': { 'npm ci && npm test': 'CI runs the first and the last, and slices of the second.' },
};

/** Commands that end with 1 in the sandbox of the tests, and why. They are run too. */
export const endsWith1: Readonly<Record<string, string>> = {
  'npx callfeed floor --at 2026-11-20T10:00:00+05:30': 'The sandbox has just begun, so it has no earlier snapshot.',
  'npx callfeed floor --at 2026-11-20T05:30:40Z': 'The same.',
  'npx callfeed verify --day yesterday --events events.jsonl --json': 'The file has no event, so nothing is proven.',
  'npx callfeed dead-letters redrive recordings 12345678901234567890':
    'Its recording is archived, so none was given up.',
  'npx callfeed erase --agent asha --account acme': 'The agent is logged in.',
  'npx callfeed quarantine redrive ID --account acme --stack "$STACK"': 'The post is no call, and stays.',
  'npx callfeed quarantine redrive ID --account acme': 'The same.',
};

/** Whether one of the list’s texts for its page is in a block, its fence included. */
export const isExempt = (
  { page, language, text }: Snippet,
  parts: readonly string[] = Object.keys(notRun[page] ?? {}),
): boolean => parts.some((part) => `\`\`\`${language}\n${text}`.includes(part));
