import { type AccessPattern, dayBegins, dayEnds, requests } from './access-patterns.ts';

/** A question, and how the command line, Python and TypeScript answer it. */
export interface Question {
  readonly title: string;
  readonly advice?: string;
  readonly command: string;
  /** The request that answers it, where one does. */
  readonly request?: AccessPattern;
  /** Whether the Python program sends that itself, as the module has no word for it. */
  readonly isQueriedInPython?: true;
  /** The program, or what it does with the `rows` of the request. */
  readonly python: string;
  readonly typescript: string;
  /** Whether the programs begin without what the page has for all. */
  readonly standsAlone?: true;
}

const aCall = "const found = await callfeed.call('41781234567890123');";

/** The questions of consumers, in the order of the page. A test asks each in all three ways. */
export const questions: readonly Question[] = [
  {
    title: 'Which calls did we miss yesterday?',
    advice: 'By [the rule](contract.md#missed-abandoned-and-free) that events, client and command line share.',
    command: 'npx callfeed calls --day yesterday --missed',
    request: requests.callsByTime,
    python: `for call in callfeed.calls(day=yesterday, time_zone=zone):
    if is_missed(call):
        print(call["listedAt"], call["callId"], call.get("customerNumber"))`,
    typescript: `for await (const call of callfeed.calls({ day: yesterday, timeZone: zone }))
  if (isMissed(call)) console.log(call.listedAt, call.callId, call.customerNumber);`,
  },
  {
    title: 'Who called in vain yesterday, and still waits?',
    advice:
      'A row for each caller, by [the rule](contract.md#missed-and-still-open). The history in S3 holds no numbers, so no question in SQL ' +
      'can say this. The module in Python knows a caller by the number in E.164, which is in the call’s own row, and says which calls ' +
      'have none: [what differs](consuming.md#in-python).',
    command: 'npx callfeed calls --missed --open --day yesterday',
    python: `missed = callfeed.missed_calls(day=yesterday, time_zone=zone)
for caller in missed.waiting:
    print(caller["attempts"], caller["customerNumber"], *caller["callIds"])
for one in missed.left_out:
    print("nobody to call back:", one.state, one.call["callId"])`,
    typescript: `const missed = await callfeed.missedCalls({ day: yesterday, timeZone: zone });
if ('moreThan' in missed) throw new Error(\`more than \${missed.moreThan} calls\`);
for (const { attempts, customerNumber, callIds } of missed.waiting) console.log(attempts, customerNumber, ...callIds);`,
  },
  {
    title: 'Which calls were there?',
    advice: 'Newest first. A call belongs to the day of its start.',
    command: 'npx callfeed calls --day yesterday',
    python: `for call in callfeed.calls(day=yesterday, time_zone=zone):
    print(call["listedAt"], call["callId"], call.get("status"), call.get("agentIds"))`,
    typescript: `for await (const call of callfeed.calls({ day: yesterday, timeZone: zone }))
  console.log(call.listedAt, call.callId, call.status, call.agentIds);`,
  },
  {
    title: 'How many calls were offered and answered?',
    advice:
      '[figures.md](figures.md) defines all figures; talk times need the calls’ own rows. `--from 2026-11-01 --to 2026-11-20` has ' +
      'those of up to 31 days; of more, or of more than 50,000 calls, ask [SQL](analytics.md#questions): `callfeed query calls-by-day`.',
    command: 'npx callfeed day --date yesterday --by skill',
    python: `offered = [call for call in callfeed.calls(day=yesterday, time_zone=zone) if call.get("type", "inbound") == "inbound"]
answered = [call for call in offered if call.get("status") == "answered"]
print(len(offered), "offered,", len(answered), "answered")`,
    typescript: `const { calls } = dayFigures(await callfeed.day(yesterday, zone), { shortSeconds: 10 });
console.log(calls.offered.value, 'offered,', calls.answered.value, 'answered');`,
  },
  {
    title: 'What is known about a call?',
    advice: 'The call has `sk = call`. The `sk` of a participant begins with `participant#`.',
    command: 'npx callfeed call 41781234567890123',
    request: requests.call,
    python: `found = callfeed.call("41781234567890123")
if found is not None and found.call is not None:
    print(found.call["callId"], found.call.get("status"), found.call.get("agentIds"), len(found.participants))`,
    typescript: `${aCall}
console.log(found?.call?.callId, found?.call?.status, found?.call?.agentIds, found?.participants.length);`,
  },
  {
    title: 'Where is its recording?',
    advice: 'The service has the file. No recording: [what to look at](runbook.md#a-call-has-no-recording).',
    command: 'npx callfeed call 41781234567890123 --show-personal',
    python: `found = callfeed.call("41781234567890123")
if found is not None and found.call is not None:
    print(*found.call.get("recordings", []))`,
    typescript: `${aCall}
console.log(found?.call?.recordings);`,
  },
  {
    title: 'What did each of its callbacks say?',
    advice: 'A delivery lists what it said otherwise than the row says now.',
    command: 'npx callfeed call 41781234567890123',
    python: `found = callfeed.call("41781234567890123")
if found is not None and found.call is not None:
    for delivery in found.call["deliveries"]:
        print(delivery["receivedAt"], delivery.get("differences"))`,
    typescript: `${aCall}
for (const { receivedAt, differences } of found?.call?.deliveries ?? []) console.log(receivedAt, differences);`,
  },
  {
    title: 'How often did a customer call?',
    advice:
      'Client and command line take any spelling, and read the calls of every usual one: `09000000042`, `+919000000042`, ' +
      '`919000000042`, `00919000000042`, `9000000042`. A key has the number as it was sent, so a program asks for each of them. Of a ' +
      'range of up to 50,000 calls, or of a day, client and command line find every other spelling too, such as `0919000000042`: they ' +
      'look at each call of the range, and the Python program does not.',
    command: 'npx callfeed calls --customer 09000000042',
    request: requests.callsOfCustomer,
    isQueriedInPython: true,
    python: `for row in rows:
    print(row["listedAt"], row["callId"], row.get("status"))`,
    typescript: `for await (const call of callfeed.callsOfCustomer('09000000042'))
  console.log(call.listedAt, call.callId, call.status);`,
  },
  {
    title: 'Which calls did an agent take?',
    advice:
      'Transfers included: a call is listed under each of its agents, up to 50. The Python program looks at each call of the day ' +
      'instead.',
    command: 'npx callfeed calls --agent ravi --since 3d',
    request: requests.callsOfAgent,
    python: `for call in callfeed.calls(day=yesterday, time_zone=zone):
    if "ravi" in call.get("agentIds", []):
        print(call["listedAt"], call["callId"], call.get("status"))`,
    typescript: `for await (const call of callfeed.callsOfAgent('ravi')) console.log(call.listedAt, call.callId, call.status);`,
  },
  {
    title: 'Which calls came late?',
    advice:
      'All calls that were recorded in the range, those first that came more than an hour after their `listedAt`, or more than five ' +
      'minutes before it: the [nightly export](consuming.md#a-nightly-export-without-holes). A row may be written up to a minute after ' +
      'its `firstRecordedAt`, so end a range a minute ago.',
    command: 'npx callfeed calls --recorded --day yesterday',
    request: requests.lateCalls,
    python: `now = datetime.now(ZoneInfo(zone))
for call in callfeed.calls(recorded_from=now - timedelta(days=3), recorded_to=now - timedelta(minutes=1)):
    print(call.get("firstRecordedAt"), call["callId"])`,
    typescript: `const recordedFrom = new Date(Date.now() - 3 * 86_400_000);
const recordedTo = new Date(Date.now() - 60_000);
for await (const call of callfeed.calls({ recordedFrom, recordedTo })) console.log(call.firstRecordedAt, call.callId);`,
  },
  {
    title: 'Who is logged in, and how old is that?',
    advice:
      'Agents are true for the feed’s `asOf`, and stale once `staleAt` has passed. A stopped poller writes nothing, so ' +
      'your own clock decides. An agent `logged-out` is about to be deleted.',
    command: 'npx callfeed agents',
    request: requests.agentsNow,
    python: `floor = callfeed.floor()
if floor.freshness == "live":
    for agent in floor.agents:
        print(agent["agentId"], agent["state"], agent["since"])
else:
    print("Nobody knows:", floor.freshness)`,
    typescript: `const floor = await callfeed.floor();
if (floor.freshness === 'live') for (const { agentId, state, since } of floor.agents) console.log(agentId, state, since);
else console.log('Nobody knows:', floor.freshness);`,
  },
  {
    title: 'What is one agent doing?',
    advice: 'An agent who is not logged in has no row. The age is that of the feed’s row.',
    command: 'npx callfeed agents asha',
    request: requests.agentNow,
    python: `floor = callfeed.floor()
if floor.freshness == "live":
    print("asha", next((agent["state"] for agent in floor.agents if agent["agentId"] == "asha"), "not logged in"))`,
    typescript: `const { lastKnown } = await callfeed.agent('asha');
console.log('asha', lastKnown?.state ?? 'not logged in');`,
  },
  {
    title: 'Who has been free the longest?',
    command: 'npx callfeed agents --state ready',
    request: requests.agentsInState,
    python: `floor = callfeed.floor()
if floor.freshness == "live":
    for agent in sorted(filter(is_free, floor.agents), key=lambda agent: agent["since"]):
        print(agent["agentId"], agent["since"])`,
    typescript: `for (const { agentId, since } of (await callfeed.agentsInState('ready')).lastKnown) console.log(agentId, since);`,
  },
  {
    title: 'Who was logged in at a past moment?',
    advice:
      'The newest snapshot up to the moment. If its `status` is `interrupted`, it shows what was known at its `asOf`. If ' +
      '`parts` is above 1, read on backwards until you have that many; all have the same `at`.',
    command: 'npx callfeed floor --at 2026-11-20T05:30:40Z',
    request: requests.agentsAt,
    isQueriedInPython: true,
    python: `snapshot = next(rows, None)
if snapshot is not None:
    print(snapshot["at"], snapshot["status"], [agent["agentId"] for agent in snapshot["agents"]])`,
    typescript: `const past = await callfeed.floorAt('2026-11-20T05:30:40Z');
if (past?.freshness === 'live') console.log(past.at, past.agents.map(({ agentId }) => agentId));`,
  },
  {
    title: 'How did an agent spend the day?',
    advice:
      'Intervals end at the account’s midnight, so their `seconds` add up to the time logged in. An open one has neither ' +
      '`to` nor `seconds`: it is known up to the feed’s `asOf`.',
    command: 'npx callfeed timeline asha --day yesterday',
    request: requests.agentDay,
    isQueriedInPython: true,
    python: `for row in rows:
    print(row["from"], row["state"], row.get("seconds"))`,
    typescript: `const { intervals } = await callfeed.agentDay('asha', yesterday, zone);
for (const { from, state, seconds } of intervals) console.log(from, state, seconds);`,
  },
  {
    title: 'When did nobody know about the agents?',
    advice: 'The command shows only the present problem and the last one.',
    command: 'npx callfeed status',
    request: requests.feedChanges,
    isQueriedInPython: true,
    python: `for row in rows:
    print(row["status"], row["at"])`,
    typescript: 'for (const { status, at } of await callfeed.feedChanges()) console.log(status, at);',
  },
  {
    title: 'How does a program hear of a missed call at once?',
    advice:
      'A [rule for missed calls](contract.md#make-a-rule) brings events to a queue, and a Lambda function gets their batches ' +
      '(`ReportBatchItemFailures`). An event may come twice, and a missed call may be revised, so the function notes each call in ' +
      'a table of its own, `handled`, with the key `pk`. A crash after the note loses the message; whoever sends first may send twice.',
    command: 'npx callfeed events --follow --missed',
    standsAlone: true,
    python: `from typing import Any
import boto3
from callfeed import CallEvent, HandledCalls, handle_batch, is_missed

handled = HandledCalls(boto3.client("dynamodb"), "handled")

def ring_back(event: CallEvent) -> None:
    if is_missed(event["call"]) and handled.is_first(event):
        print(event["account"], event["callId"], event["revision"])

def handler(batch: dict[str, Any], context: object) -> dict[str, Any]:
    return handle_batch(batch, ring_back)`,
    typescript: `import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { isMissed, parseEvent } from 'callfeed/contract';

const dynamodb = new DynamoDBClient();

const isNew = async (pk: string) => {
  const put = { TableName: 'handled', Item: { pk: { S: pk } }, ConditionExpression: 'attribute_not_exists(pk)' };
  try {
    await dynamodb.send(new PutItemCommand(put));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

export const handler = async (batch: { Records: { messageId: string; body: string }[] }) => {
  const failed = [];
  for (const { messageId, body } of batch.Records)
    try {
      const { 'detail-type': type, detail } = parseEvent(JSON.parse(body));
      if (type !== 'Call Summary Recorded' && type !== 'Call Summary Revised') continue;
      const { account, callId, revision, call } = detail;
      if (isMissed(call) && (await isNew(\`\${account}#\${callId}\`))) console.log(account, callId, revision);
    } catch (error) {
      console.log(error instanceof Error ? error.name : 'unknown');
      failed.push({ itemIdentifier: messageId });
    }
  return { batchItemFailures: failed };
};`,
  },
];

/** How a Python program writes a value: the bounds of a day by their names. */
const pythonValue = (value: string): string => {
  if (value === dayBegins) return 'first';
  return value === dayEnds ? 'last' : JSON.stringify(value);
};

/** The request as a Python program makes it. */
const pythonRequest = ({ table, request }: AccessPattern): string => {
  if (request.operation !== 'query') throw new Error('A program in Python makes no other request');
  const { IndexName, KeyConditionExpression, ExpressionAttributeValues, ScanIndexForward, Limit } = request.input;
  const values = Object.entries(ExpressionAttributeValues).map(([name, { S }]) => `"${name}": ${pythonValue(S)}`);
  const given = [
    JSON.stringify(table),
    JSON.stringify(KeyConditionExpression),
    `{${values.join(', ')}}`,
    ...(IndexName === undefined ? [] : [`index="${IndexName}"`]),
    ...(ScanIndexForward === undefined ? [] : ['backwards=True']),
    ...(Limit === undefined ? [] : [`page_size=${Limit}`]),
  ];
  return `rows = callfeed.query(\n${given.map((each) => `    ${each},\n`).join('')})`;
};

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The answers as the page shows them. */
export const answersTo = ({ command, request, isQueriedInPython, python, typescript }: Question): string =>
  [
    block('sh', command),
    block('python', request && isQueriedInPython ? `${pythonRequest(request)}\n${python}` : python),
    block('ts', typescript),
  ].join('\n\n');

const section = (question: Question): string =>
  [`## ${question.title}`, ...(question.advice === undefined ? [] : [question.advice]), answersTo(question)].join(
    '\n\n',
  );

/** The generated parts of docs/questions.md, by their names. */
export const questionsParts = () => ({
  questions: questions.map(section).join('\n\n'),
});
