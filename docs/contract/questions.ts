import { type AccessPattern, dayBegins, dayEnds, requests } from './access-patterns.ts';

/** A question, and how the command line, Python and TypeScript answer it. */
export interface Question {
  readonly title: string;
  readonly advice?: string;
  readonly command: string;
  /** What the Python program asks the table. */
  readonly request?: AccessPattern;
  /** What it does with the `rows`, or the `row`, of the answer. */
  readonly python: string;
  readonly typescript: string;
}

const aCall = "const found = await callfeed.call('41781234567890123');";

/** The questions of consumers, in the order of the page. A test asks each in all three ways. */
export const questions: readonly Question[] = [
  {
    title: 'Which calls did we miss yesterday?',
    advice: 'By [the rule](contract.md#missed-abandoned-and-free) that events, client and command line share.',
    command: 'npx callfeed calls --day yesterday --missed',
    request: requests.callsByTime,
    python: `for row in rows:
    if row.get("status") == "not-answered" and row.get("type", "inbound") == "inbound":
        print(row["listedAt"], row["callId"], row.get("customerNumber"))`,
    typescript: `for await (const call of callfeed.calls({ day: yesterday, timeZone: zone }))
  if (isMissed(call)) console.log(call.listedAt, call.callId, call.customerNumber);`,
  },
  {
    title: 'Who called in vain yesterday, and still waits?',
    advice:
      'A row for each caller, by [the rule](contract.md#missed-and-still-open). A number in E.164 is in the call’s own row alone. The ' +
      'history in S3 holds no numbers, so no question in SQL can say this. The Python program counts a call back however late it was. It ' +
      'leaves out short numbers, calls that were under way, calls that went on as another one, the legs of a call back, and that a ' +
      'dialler’s call without an agent’s name had none.',
    command: 'npx callfeed calls --missed --open --day yesterday',
    request: requests.callsByTime,
    python: `later = query(
    calls,
    IndexName="byTime",
    KeyConditionExpression="accountCalls = :account AND listedAt > :last",
    ExpressionAttributeValues={":account": "demo", ":last": last},
)

def whole(rows):
    keys = [{"pk": row["pk"], "sk": row["sk"]} for row in rows]
    while keys:
        answer = dynamodb.batch_get_item(RequestItems={calls.name: {"Keys": keys[:100]}})
        yield from answer["Responses"][calls.name]
        keys = keys[100:] + answer["UnprocessedKeys"].get(calls.name, {}).get("Keys", [])

there = {"answered", "success", "normal-unspecified", "unknown"}

def has_spoken(row):  # an outgoing call is answered too where one of the sides was not there
    if row.get("type") not in ("manual", "preview", "progressive", "predictive"):
        return row.get("type", "inbound") == "inbound"
    customer, agent = ({*row.get(side, ["unknown"])} for side in ("customerStatuses", "agentStatuses"))
    return bool(customer & (there | {"user-disconnected"}) and agent & (there | {"agent-disconnected"}))

spoken, waiting = set(), {}
for row in sorted(whole([*rows, *later]), key=lambda row: row["listedAt"], reverse=True):
    number, status, kind = row.get("customerNumberE164"), row.get("status"), row.get("type", "inbound")
    if status == "answered" and has_spoken(row):
        spoken.add(number)
    if status == "not-answered" and kind == "inbound" and row["listedAt"] <= last and number and number not in spoken:
        waiting.setdefault(number, []).append(row["callId"])
for number, ids in sorted(waiting.items(), key=lambda caller: -len(caller[1])):
    print(len(ids), number, *ids)`,
    typescript: `const missed = await callfeed.missedCalls({ day: yesterday, timeZone: zone });
if ('moreThan' in missed) throw new Error(\`more than \${missed.moreThan} calls\`);
for (const { attempts, customerNumber, callIds } of missed.waiting) console.log(attempts, customerNumber, ...callIds);`,
  },
  {
    title: 'Which calls were there?',
    advice: 'Newest first. A call belongs to the day of its start.',
    command: 'npx callfeed calls --day yesterday',
    request: requests.callsByTime,
    python: `for row in rows:
    print(row["listedAt"], row["callId"], row.get("status"), row.get("agentIds"))`,
    typescript: `for await (const call of callfeed.calls({ day: yesterday, timeZone: zone }))
  console.log(call.listedAt, call.callId, call.status, call.agentIds);`,
  },
  {
    title: 'How many calls were offered and answered?',
    advice:
      '[figures.md](figures.md) defines all figures; talk times need the calls’ own rows. `--from 2026-11-01 --to 2026-11-20` has ' +
      'those of up to 31 days; of more, or of more than 50,000 calls, ask [SQL](analytics.md#questions): `callfeed query calls-by-day`.',
    command: 'npx callfeed day --date yesterday --by skill',
    request: requests.callsByTime,
    python: `offered = [row for row in rows if row.get("type", "inbound") == "inbound"]
answered = [row for row in offered if row.get("status") == "answered"]
print(len(offered), "offered,", len(answered), "answered")`,
    typescript: `const { calls } = dayFigures(await callfeed.day(yesterday, zone), { shortSeconds: 10 });
console.log(calls.offered.value, 'offered,', calls.answered.value, 'answered');`,
  },
  {
    title: 'What is known about a call?',
    advice: 'The call has `sk = call`. The `sk` of a participant begins with `participant#`.',
    command: 'npx callfeed call 41781234567890123',
    request: requests.call,
    python: `for row in rows:
    print(row["callId"], row["sk"], row.get("status"), row.get("agentIds"))`,
    typescript: `${aCall}
console.log(found?.call?.callId, found?.call?.status, found?.call?.agentIds, found?.participants.length);`,
  },
  {
    title: 'Where is its recording?',
    advice: 'The service has the file. No recording: [what to look at](runbook.md#a-call-has-no-recording).',
    command: 'npx callfeed call 41781234567890123 --show-personal',
    request: requests.call,
    python: `for row in rows:
    print(*row.get("recordings", []))`,
    typescript: `${aCall}
console.log(found?.call?.recordings);`,
  },
  {
    title: 'What did each of its callbacks say?',
    advice: 'A delivery lists what it said otherwise than the row says now.',
    command: 'npx callfeed call 41781234567890123',
    request: requests.call,
    python: `for row in rows:
    for delivery in row.get("deliveries", []):
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
    python: `for row in rows:
    print(row["listedAt"], row["callId"], row.get("status"))`,
    typescript: `for await (const call of callfeed.callsOfCustomer('09000000042'))
  console.log(call.listedAt, call.callId, call.status);`,
  },
  {
    title: 'Which calls did an agent take?',
    advice: 'Transfers included: a call is listed under each of its agents, up to 50.',
    command: 'npx callfeed calls --agent ravi --since 3d',
    request: requests.callsOfAgent,
    python: `for row in rows:
    print(row["listedAt"], row["callId"], row.get("status"))`,
    typescript: `for await (const call of callfeed.callsOfAgent('ravi')) console.log(call.listedAt, call.callId, call.status);`,
  },
  {
    title: 'Which calls came late?',
    advice:
      'The index has the calls that were first recorded more than an hour after their `listedAt`, or more than five ' +
      'minutes before it. The other two list all calls that were recorded in the range, the late ones first: the ' +
      '[nightly export](consuming.md#a-nightly-export-without-holes). A row may be written up to a minute after its ' +
      '`firstRecordedAt`, so end a range a minute ago.',
    command: 'npx callfeed calls --recorded --day yesterday',
    request: requests.lateCalls,
    python: `for row in rows:
    print(row["firstRecordedAt"], row["callId"])`,
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
    python: `for row in rows:
    if row.get("kind") == "agent" and row["state"] != "logged-out":
        print(row["agentId"], row["state"], row["since"])
    if row.get("kind") == "feed":
        print("stale" if instant(datetime.now(zone)) > row.get("staleAt", "") else "live", row.get("asOf"))`,
    typescript: `const floor = await callfeed.floor();
if (floor.freshness === 'live') for (const { agentId, state, since } of floor.agents) console.log(agentId, state, since);
else console.log('Nobody knows:', floor.freshness);`,
  },
  {
    title: 'What is one agent doing?',
    advice: 'An agent who is not logged in has no row. The age is that of the feed’s row.',
    command: 'npx callfeed agents asha',
    request: requests.agentNow,
    python: 'print("asha", row["state"] if row else "not logged in")',
    typescript: `const { lastKnown } = await callfeed.agent('asha');
console.log('asha', lastKnown?.state ?? 'not logged in');`,
  },
  {
    title: 'Who has been free the longest?',
    command: 'npx callfeed agents --state ready',
    request: requests.agentsInState,
    python: `for row in rows:
    print(row["agentId"], row["since"])`,
    typescript: `for (const { agentId, since } of (await callfeed.agentsInState('ready')).lastKnown) console.log(agentId, since);`,
  },
  {
    title: 'Who was logged in at a past moment?',
    advice:
      'The newest snapshot up to the moment. If its `status` is `interrupted`, it shows what was known at its `asOf`. If ' +
      '`parts` is above 1, read on backwards until you have that many; all have the same `at`.',
    command: 'npx callfeed floor --at 2026-11-20T05:30:40Z',
    request: requests.agentsAt,
    python: `for row in rows:
    print(row["at"], row["status"], [agent["agentId"] for agent in row["agents"]])`,
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
    python: `import json
import boto3

handled = boto3.resource("dynamodb").Table("handled")

def is_new(detail):
    try:
        pk = f'{detail["account"]}#{detail["callId"]}'
        handled.put_item(Item={"pk": pk}, ConditionExpression="attribute_not_exists(pk)")
        return True
    except handled.meta.client.exceptions.ConditionalCheckFailedException:
        return False

def handler(batch, context):
    failed = []
    for record in batch["Records"]:
        try:
            detail = json.loads(record["body"])["detail"]
            call = detail.get("call", {})
            missed = call.get("status") == "not-answered" and call.get("type", "inbound") == "inbound"
            if missed and is_new(detail):
                print(detail["account"], detail["callId"], detail["revision"])
        except Exception as error:
            print(type(error).__name__)
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}`,
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
const pythonValue = (value: unknown): string => {
  if (value === dayBegins) return 'first';
  if (value === dayEnds) return 'last';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one?.S ?? one)}`);
  return `{${entries.join(', ')}}`;
};

/** The request as a Python program makes it. */
const pythonRequest = ({ table, request: { operation, input } }: AccessPattern): string => {
  const given = Object.entries(input).map(([name, value]) => `    ${name}=${pythonValue(value)},\n`);
  if (operation === 'get-item') return `row = ${table}.get_item(Key=${pythonValue(input.Key)}).get("Item")`;
  return input.Limit === undefined
    ? `rows = query(\n    ${table},\n${given.join('')})`
    : `rows = ${table}.query(\n${given.join('')})["Items"]`;
};

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The answers as the page shows them. */
export const answersTo = ({ command, request, python, typescript }: Question): string =>
  [
    block('sh', command),
    block('python', request === undefined ? python : `${pythonRequest(request)}\n${python}`),
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
