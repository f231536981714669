import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { demoCall, postCall } from '../support/sandbox.ts';

const freePorts = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false };
let sandbox: Sandbox | undefined;
afterEach(() => sandbox?.stop());

describe('startSandbox', () => {
  it('starts another in a process in which one has stopped, with settings of its own', async () => {
    const before = { ...process.env };
    const first = await startSandbox(freePorts);
    expect(await postCall(first.addresses.callbacks, demoCall('10000000000000001'))).toMatchObject([
      200,
      { stored: 1 },
    ]);
    await first.stop();
    expect(process.env).toEqual(before);

    sandbox = await startSandbox({ ...freePorts, callbackSecret: 'hush/hush' });
    const { gateway, sandbox: state } = sandbox.addresses;
    expect(await (await fetch(state)).text()).not.toContain('hush');
    const withSecret = `${gateway}/hush%2Fhush/callDetails`;
    expect(await postCall(withSecret, demoCall('10000000000000001'))).toMatchObject([200, { stored: 1 }]);
    expect((await postCall(`${gateway}/callDetails`, demoCall('10000000000000002')))[0]).toBe(401);
  });
});
