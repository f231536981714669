/** Where the prices hold, and when they were looked up. */
export const priceList = { region: 'us-east-1', date: '2026-11-21' } as const;

/** A list price in dollars, without free tiers and before volume discounts. */
export interface Price {
  /** The line of the bill that it is part of. */
  readonly service: string;
  readonly unit: string;
  readonly dollars: number;
  /** How many units the dollars are for. */
  readonly per: number;
  /** AWS's page that it stands on. */
  readonly page: string;
  /** Whether the figure was found again in a dated public quotation of that page; else it is from memory. */
  readonly checked: boolean;
}

const million = 1_000_000;

const apiGateway = { service: 'API Gateway', page: 'https://aws.amazon.com/api-gateway/pricing/' };
const lambda = { service: 'Lambda', page: 'https://aws.amazon.com/lambda/pricing/' };
const dynamodbPage = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const dynamodb = { service: 'DynamoDB, requests', page: dynamodbPage };
const dynamodbStorage = { service: 'DynamoDB, storage', page: dynamodbPage };
const eventBridge = { service: 'EventBridge', page: 'https://aws.amazon.com/eventbridge/pricing/' };
const sqs = { service: 'SQS', page: 'https://aws.amazon.com/sqs/pricing/' };
const cloudWatchPage = 'https://aws.amazon.com/cloudwatch/pricing/';
const logs = { service: 'CloudWatch, logs', page: cloudWatchPage };
const monitoring = { service: 'CloudWatch, metrics and alarms', page: cloudWatchPage };
const xRay = { service: 'X-Ray', page: 'https://aws.amazon.com/xray/pricing/' };
const secretsManager = { service: 'Secrets Manager', page: 'https://aws.amazon.com/secrets-manager/pricing/' };
const kms = { service: 'KMS', page: 'https://aws.amazon.com/kms/pricing/' };

/** Everything that is paid for. */
export const prices = {
  apiRequests: { ...apiGateway, unit: 'request of 512 KB', dollars: 1, per: million, checked: true },
  lambdaRequests: { ...lambda, unit: 'request', dollars: 0.2, per: million, checked: true },
  lambdaGigabyteSeconds: { ...lambda, unit: 'GB-second, arm64', dollars: 0.0000133334, per: 1, checked: true },
  writeUnits: { ...dynamodb, unit: 'write request unit', dollars: 0.625, per: million, checked: true },
  readUnits: { ...dynamodb, unit: 'read request unit', dollars: 0.125, per: million, checked: true },
  storedGigabytes: { ...dynamodbStorage, unit: 'GB-month stored', dollars: 0.25, per: 1, checked: false },
  recoverableGigabytes: { ...dynamodbStorage, unit: 'GB-month, point in time', dollars: 0.2, per: 1, checked: false },
  eventChunks: { ...eventBridge, unit: 'custom event of 64 KB', dollars: 1, per: million, checked: true },
  archivedGigabytes: { ...eventBridge, unit: 'GB into the archive', dollars: 0.1, per: 1, checked: true },
  archiveGigabytes: { ...eventBridge, unit: 'GB-month in the archive', dollars: 0.023, per: 1, checked: true },
  scheduledCalls: { ...eventBridge, unit: 'call of a schedule', dollars: 1, per: million, checked: true },
  sqsRequests: { ...sqs, unit: 'request of 64 KB', dollars: 0.4, per: million, checked: true },
  logGigabytes: { ...logs, unit: 'GB of log taken in', dollars: 0.5, per: 1, checked: true },
  keptLogGigabytes: { ...logs, unit: 'GB-month of log', dollars: 0.03, per: 1, checked: false },
  metrics: { ...monitoring, unit: 'custom metric', dollars: 0.3, per: 1, checked: true },
  alarmMetrics: { ...monitoring, unit: 'metric of an alarm', dollars: 0.1, per: 1, checked: true },
  dashboards: { ...monitoring, unit: 'dashboard', dollars: 3, per: 1, checked: true },
  traces: { ...xRay, unit: 'trace recorded', dollars: 5, per: million, checked: true },
  secrets: { ...secretsManager, unit: 'secret', dollars: 0.4, per: 1, checked: true },
  secretReads: { ...secretsManager, unit: 'request', dollars: 0.05, per: 10_000, checked: true },
  keys: { ...kms, unit: 'customer managed key', dollars: 1, per: 1, checked: true },
} as const satisfies Readonly<Record<string, Price>>;

/** The name of something that is paid for. */
export type Priced = keyof typeof prices;

/** How much of it. */
export type Quantities = Readonly<Partial<Record<Priced, number>>>;
