import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { Construct } from 'constructs';
import { eventSource } from '../../lib/contract/envelope.ts';
import { registrySchemas } from '../../lib/contract/registry-schemas.ts';
import type { Settings } from '../settings/settings.ts';

/** Which events they are the schemas of. */
export interface EventSchemasProps {
  readonly settings: Pick<Settings, 'personalFieldsInEvents'>;
}

/** The schemas of all events in a registry of their own, from which consoles and editors make types. */
export class EventSchemas extends Construct {
  readonly registry: CfnRegistry;

  constructor(scope: Construct, id: string, { settings }: EventSchemasProps) {
    super(scope, id);

    this.registry = new CfnRegistry(this, 'Registry', { description: 'Events of Callfeed.' });
    for (const [type, schema] of Object.entries(registrySchemas(settings.personalFieldsInEvents))) {
      const name = type.replaceAll(' ', '');
      new CfnSchema(this, name, {
        registryName: this.registry.attrRegistryName,
        // As the registry names what it discovers by itself.
        schemaName: `${eventSource}@${name}`,
        type: 'JSONSchemaDraft4',
        content: JSON.stringify(schema),
        description: `The event ${type}.`,
      });
    }
  }
}
