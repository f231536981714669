/** The region of the prices, and the day of the look-up. */
export const priceList = { region: 'us-east-1', date: '2026-11-21' } as const;

interface Price {
  readonly service: string;
  readonly unit: string;
  readonly dollars: number;
  /** How many units the dollars are for. */
  readonly per: number;
  readonly page: string;
  /** Whether a dated public quotation of that page has the same figure; otherwise it is from memory. */
  readonly checked: boolean;
}

const million = 1_000_000;

const apiGateway = { service: 'API Gateway', page: 'https://aws.amazon.com/api-gateway/pricing/' };
const lambda = { service: 'Lambda', page: 'https://aws.amazon.com/lambda/pricing/' };
const lambdaStarts = { service: 'Lambda, starts', page: lambda.page };
const dynamodbPage = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const dynamodb = { service: 'DynamoDB, requests', page: dynamodbPage };
const dynamodbStorage = { service: 'DynamoDB, storage', page: dynamodbPage };
const eventBridge = { service: 'EventBridge', page: 'https://aws.amazon.com/eventbridge/pricing/' };
const sqs = { service: 'SQS', page: 'https://aws.amazon.com/sqs/pricing/' };
const cloudWatchPage = 'https://aws.amazon.com/cloudwatch/pricing/';
const s3 = { service: 'S3', page: 'https://aws.amazon.com/s3/pricing/' };
const logs = { service: 'CloudWatch, logs', page: cloudWatchPage };
const monitoring = { service: 'CloudWatch, metrics and alarms', page: cloudWatchPage };
const secretsManager = { service: 'Secrets Manager', page: 'https://aws.amazon.com/secrets-manager/pricing/' };
const kms = { service: 'KMS', page: 'https://aws.amazon.com/kms/pricing/' };

const firehose = { service: 'Firehose', page: 'https://aws.amazon.com/firehose/pricing/' };
const athena = { service: 'Athena', page: 'https://aws.amazon.com/athena/pricing/' };

export const prices = {
  apiRequests: { ...apiGateway, unit: 'request of 512 KB', dollars: 1, per: million, checked: true },
  lambdaRequests: { ...lambda, unit: 'request', dollars: 0.2, per: million, checked: true },
  lambdaGigabyteSeconds: { ...lambda, unit: 'GB-second, arm64', dollars: 0.0000133334, per: 1, checked: true },
  lambdaStarts: { ...lambdaStarts, unit: 'GB-second, arm64', dollars: 0.0000133334, per: 1, checked: true },
  writeUnits: { ...dynamodb, unit: 'write request unit', dollars: 0.625, per: million, checked: true },
  readUnits: { ...dynamodb, unit: 'read request unit', dollars: 0.125, per: million, checked: true },
  storedGigabytes: { ...dynamodbStorage, unit: 'GB-month stored', dollars: 0.25, per: 1, checked: false },
  recoverableGigabytes: { ...dynamodbStorage, unit: 'GB-month, point in time', dollars: 0.2, per: 1, checked: false },
  infrequentWriteUnits: {
    ...dynamodb,
    unit: 'write unit, infrequent access',
    dollars: 0.78,
    per: million,
    checked: false,
  },
  infrequentReadUnits: {
    ...dynamodb,
    unit: 'read unit, infrequent access',
    dollars: 0.155,
    per: million,
    checked: false,
  },
  infrequentGigabytes: {
    ...dynamodbStorage,
    unit: 'GB-month, infrequent access',
    dollars: 0.1,
    per: 1,
    checked: true,
  },
  eventChunks: { ...eventBridge, unit: 'custom event of 64 KB', dollars: 1, per: million, checked: true },
  archiveIntakeGigabytes: { ...eventBridge, unit: 'GB into the archive', dollars: 0.1, per: 1, checked: true },
  archiveStoredGigabytes: { ...eventBridge, unit: 'GB-month in the archive', dollars: 0.023, per: 1, checked: true },
  scheduledCalls: { ...eventBridge, unit: 'call of a schedule', dollars: 1, per: million, checked: true },
  sqsRequests: { ...sqs, unit: 'request of 64 KB', dollars: 0.4, per: million, checked: true },
  fifoRequests: { ...sqs, unit: 'request of a FIFO queue', dollars: 0.5, per: million, checked: false },
  objectsPut: { ...s3, unit: 'PUT or LIST request', dollars: 5, per: million, checked: false },
  objectsRead: { ...s3, unit: 'GET request', dollars: 0.4, per: million, checked: false },
  objectGigabytes: { ...s3, unit: 'GB-month of objects', dollars: 0.023, per: 1, checked: false },
  logGigabytes: { ...logs, unit: 'GB of log taken in', dollars: 0.5, per: 1, checked: true },
  keptLogGigabytes: { ...logs, unit: 'GB-month of log', dollars: 0.03, per: 1, checked: false },
  searchedGigabytes: { ...logs, unit: 'GB of log searched', dollars: 0.005, per: 1, checked: false },
  metrics: { ...monitoring, unit: 'custom metric', dollars: 0.3, per: 1, checked: true },
  alarmMetrics: { ...monitoring, unit: 'metric of an alarm', dollars: 0.1, per: 1, checked: true },
  dashboards: { ...monitoring, unit: 'dashboard', dollars: 3, per: 1, checked: true },
  secrets: { ...secretsManager, unit: 'secret', dollars: 0.4, per: 1, checked: true },
  secretReads: { ...secretsManager, unit: 'request', dollars: 0.05, per: 10_000, checked: true },
  firehoseGigabytes: { ...firehose, unit: 'GB taken in, by 5 KB', dollars: 0.029, per: 1, checked: false },
  convertedGigabytes: { ...firehose, unit: 'GB converted, by 5 KB', dollars: 0.018, per: 1, checked: false },
  partitionedGigabytes: { ...firehose, unit: 'GB partitioned', dollars: 0.02, per: 1, checked: false },
  partitionedObjects: { ...firehose, unit: 'object of a partition', dollars: 0.005, per: 1_000, checked: false },
  athenaTerabytes: { ...athena, unit: 'TB read', dollars: 5, per: 1, checked: false },
  keys: { ...kms, unit: 'customer managed key', dollars: 1, per: 1, checked: true },
} as const satisfies Readonly<Record<string, Price>>;

type Priced = keyof typeof prices;

export type Quantities = Readonly<Partial<Record<Priced, number>>>;

export const priced = Object.keys(prices) as readonly Priced[];

export const addQuantities = (...parts: readonly Quantities[]): Quantities =>
  Object.fromEntries(priced.map((name) => [name, parts.reduce((all, { [name]: one = 0 }) => all + one, 0)]));

/** The dollars for some quantities; with a service those of its line of the bill. */
export const dollarsOf = (quantities: Quantities, service?: string): number =>
  priced
    .filter((name) => service === undefined || prices[name].service === service)
    .reduce((all, name) => all + ((quantities[name] ?? 0) * prices[name].dollars) / prices[name].per, 0);
