import type { FaultsByCheck } from './try-fault.ts';

/** Faults that lose calls, corrupt them, or publish the wrong events, and mistakes about details of AWS. */
export const callsFaults: FaultsByCheck = {
  crash: {
    'acknowledged-unparked': {
      what: 'The receiver answers 200 although neither the table nor the queue has the call.',
      file: 'lib/callback/store-or-park.ts',
      find: "    return fail('stores-unavailable');",
      replace: '',
    },
    'recovery-deletes-failed': {
      what: 'Recovery deletes messages that it could not store.',
      file: 'functions/recover-callbacks/app.ts',
      find: '        failed.push(id);',
      replace: '',
    },
    'publish-failure-ignored': {
      what: 'The publisher reports success for an event that the bus rejected.',
      file: 'functions/publish-changes/publish-changes.ts',
      find: '      if (failed !== undefined) return failed.sequence;',
      replace: '',
    },
  },
  schedules: {
    'failed-entries-ignored': {
      what: 'PutEvents succeeds as a call, so all its entries count as published.',
      file: 'functions/publish-changes/app.ts',
      find: 'events.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined)',
      replace: 'events.map(() => Entries.length > 0)',
    },
    'order-lost': {
      what: 'Two events of one call share a request, so the bus may accept only the second.',
      file: 'functions/publish-changes/publish-changes.ts',
      find: '  batch.every(({ event }) => event.key !== next.event.key) &&\n',
      replace: '',
    },
    'last-arrival-wins': {
      what: 'The last delivery wins, however little it contains.',
      file: 'lib/calls/call-record.ts',
      find: 'const facts = mergedFacts(stored.key, deliveries);',
      replace: 'const facts = { ...stored.facts, ...deliveries.at(-1)?.facts };',
    },
    'unconditional-write': {
      what: 'A revised row overwrites the row without a version check.',
      file: 'functions/adapters/dynamo-versioned-rows.ts',
      find: "{ ConditionExpression: 'version = :version', ExpressionAttributeValues: marshalled({ ':version': version }) }",
      replace: '{}',
    },
    'receipt-at-recovery': {
      what: 'A parked delivery gets the time of its recovery as time of receipt.',
      file: 'lib/calls/record-delivery.ts',
      find: 'applyDeliveries(key, stored, [delivery], recordedAt',
      replace: 'applyDeliveries(key, stored, [{ ...delivery, receivedAt: recordedAt() }], recordedAt',
    },
    'failed-messages-ignored': {
      what: 'SendMessageBatch succeeds as a call, so all its messages count as parked.',
      file: 'functions/receive-callback/app.ts',
      find: 'if (Failed.length > 0)\n',
      replace: 'if (Failed.length > batch.length)\n',
    },
    'random-ids': {
      what: 'A repeated event has a new id.',
      file: 'lib/publish/events-of-change.ts',
      find: 'identity: [kind, identity, revision],',
      replace: 'identity: [kind, identity, revision, Math.random()],',
    },
    'retention-in-hours': {
      what: 'Rows expire after hours instead of days.',
      file: 'lib/core/time.ts',
      find: 'const secondsPerDay = 86_400;',
      replace: 'const secondsPerDay = 3_600;',
    },
  },
  endurance: {
    'reply-before-write': {
      what: 'The receiver answers before the call is written.',
      file: 'lib/calls/record-delivery.ts',
      find: '  return rows.putNextVersion(row, { puts: agentEntriesOf(record, row), removes }, signal);\n',
      replace:
        "  rows.putNextVersion(row, { puts: agentEntriesOf(record, row), removes }, signal).catch(() => undefined);\n  return Promise.resolve({ kind: 'written' });\n",
    },
    'memory-leak': {
      what: 'Every post leaves memory that is never freed.',
      file: 'functions/receive-callback/receive-callback.ts',
      find: '    const receivedAt = ports.clock().toISOString();',
      replace:
        '    const receivedAt = ports.clock().toISOString();\n    (ports as { kept?: unknown[] }).kept = [...((ports as { kept?: unknown[] }).kept ?? []), Array(100_000).fill(receivedAt)];',
    },
  },
  unit: {
    'time-out-not-enforced': {
      what: 'The AWS clients log a warning at their time-out and wait on.',
      test: 'test/functions/adapters/aws-clients.test.ts',
      file: 'functions/adapters/aws-clients.ts',
      find: ', throwOnRequestTimeout: true',
      replace: '',
    },
    'deadline-of-a-batch': {
      what: 'Recovery has one time limit for all messages of a batch, and a slow table takes all of it.',
      test: 'test/functions/adapters/aws-clients.test.ts',
      file: 'functions/recover-callbacks/app.ts',
      find: '    const failed: string[] = [];\n',
      replace:
        '    const failed: string[] = [];\n    const limit = stores.deadline();\n    stores = { ...stores, deadline: () => limit };\n',
    },
    'deadline-of-a-process': {
      what: 'The time limit of the tables starts once, with the function.',
      test: 'test/functions/adapters/aws-clients.test.ts',
      file: 'functions/adapters/dynamo-stores.ts',
      find: '  deadline: () => AbortSignal.timeout(deadlineMs),',
      replace: '  deadline: ((limit) => () => limit)(AbortSignal.timeout(deadlineMs)),',
    },
    'leg-without-status': {
      what: 'A leg without a status counts as not answered.',
      test: 'test/lib/client/day-figures.test.ts',
      file: 'lib/contract/call-counts.ts',
      find: "own.filter(({ status }) => status !== 'not-answered')",
      replace: "own.filter(({ status }) => status === 'answered')",
    },
    'batch-in-characters': {
      what: 'The size of a batch for SQS is counted in characters instead of bytes.',
      test: 'test/functions/receive-callback/http.test.ts',
      file: 'functions/receive-callback/app.ts',
      find: 'Buffer.byteLength(text)',
      replace: 'text.length',
    },
    'quarantine-overwritten': {
      what: 'A quarantined body that comes again overwrites the first one.',
      test: 'test/functions/adapters/dynamo-stores.test.ts',
      file: 'functions/adapters/dynamo-stores.ts',
      find: ", ConditionExpression: 'attribute_not_exists(id)' });",
      replace: ' });',
    },
    'redrive-deletes-first': {
      what: 'The command `dead-letters redrive` deletes a dead letter before it sends it again.',
      test: 'test/cli/crash-points.long.ts',
      file: 'cli/dead-letters.ts',
      find: 'await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: body, ...inGroup }));',
      replace:
        'await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle: receipt }));\n  await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: body, ...inGroup }));',
    },
    'metrics-in-seconds': {
      what: 'The timestamp of metrics is in seconds; CloudWatch reads milliseconds.',
      test: 'test/functions/adapters/json-telemetry.test.ts',
      file: 'functions/adapters/json-telemetry.ts',
      find: 'Timestamp: Date.now(),',
      replace: 'Timestamp: Math.floor(Date.now() / 1_000),',
    },
  },
};
