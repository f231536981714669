import { expect, it } from 'vitest';
import { propertiesOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

const { template } = synthesise();

const ids = (type: string) => Object.keys(propertiesOf(template, type));

it.each([
  ['AWS::DynamoDB::GlobalTable', 'a new table would start empty, and the old one be left behind'],
  ['AWS::SQS::Queue', 'a new queue would start empty, and nobody would serve the old one'],
  ['AWS::S3::Bucket', 'a new bucket would start empty, and what was set aside be overlooked'],
  ['AWS::SecretsManager::Secret', 'a new secret would hold the placeholder, and every callback be refused'],
  ['AWS::Events::EventBus', 'subscribers have rules on the bus by its name: a new one has none'],
  ['AWS::Events::Archive', 'a new archive would have nothing to replay'],
  ['AWS::ApiGatewayV2::Api', 'the service posts to the address of this API: a new one has another'],
  ['AWS::ApiGatewayV2::Stage', 'the address leads to this stage; two of one name cannot be'],
  [
    'AWS::Lambda::EventSourceMapping',
    'Lambda takes no second mapping of a queue, and a new one is made before the old one goes',
  ],
  ['AWS::SNS::Topic', 'people have subscribed to the topic: a new one tells nobody'],
  ['AWS::EventSchemas::Registry', 'editors read the schemas from the registry by its name'],
])('keeps the logical ids of %s: %s', (type) => {
  expect(pinned[type]).toBeDefined();
  expect(ids(type)).toEqual(pinned[type]);
});

/** Never change one: rename the construct back instead. */
const pinned: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['CallfeedCalls7DD654B3', 'CallfeedAgentsAEE782A1', 'CallfeedQuarantine718B9FAB'],
  'AWS::SQS::Queue': [
    'CallfeedParkingDeadLettersFAFFA6AA',
    'CallfeedParkingQueue631E1846',
    'CallfeedPollAgentsTicksAA886AED',
  ],
  'AWS::S3::Bucket': ['CallfeedPublishChangesUnpublished8A326151'],
  'AWS::SecretsManager::Secret': ['CallfeedAccounts1AA83BE2'],
  'AWS::Events::EventBus': ['CallfeedBus8482B2DA'],
  'AWS::Events::Archive': ['CallfeedArchive16C14295'],
  'AWS::ApiGatewayV2::Api': ['CallfeedApiHttpApi112221FC'],
  'AWS::ApiGatewayV2::Stage': ['CallfeedApiStageF69A0E66'],
  'AWS::Lambda::EventSourceMapping': [
    'CallfeedRecoverCallbacksServiceFunctionSqsEventSourcecallfeedprodCallfeedParkingQueueAE708BB93A7CCC2D',
    'CallfeedPublishChangesServiceFunctionCallsEB46DE73',
    'CallfeedPublishChangesServiceFunctionAgents0C9E116E',
    'CallfeedPollAgentsServiceFunctionSqsEventSourcecallfeedprodCallfeedPollAgentsTicksF6A22D3C6C397563',
  ],
  'AWS::SNS::Topic': ['CallfeedMonitoringTopicEB91C363'],
  'AWS::EventSchemas::Registry': ['CallfeedSchemasRegistryEE4E1D4D'],
};
