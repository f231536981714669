import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../../sandbox/simulator/service/fault.ts';
import { startService } from '../support/service.ts';

describe('the service', () => {
  it.each([
    ['throttle', 429, 'Max limit exceeded'],
    ['error', 500, 'Internal error'],
  ] as const)(
    'answers its operations under the fault %s by HTTP %i, and counts them',
    async (mode, status, message) => {
      const service = await startService({ fault: () => mode });

      expect(await service.logins()).toMatchObject({ status, json: { status: 'error', message } });
      expect(await service.token()).toMatchObject({ status });
      expect((await service.counts())['demo']).toMatchObject({
        requests: 1,
        offences: 0,
        tokens: { requests: 1, generated: 0 },
      });
    },
  );

  it('answers nothing under the fault timeout, and counts the request', async () => {
    const service = await startService({ fault: () => 'timeout' });
    const silent = service.logins(undefined, { signal: AbortSignal.timeout(100) });

    await expect(silent).rejects.toThrow(/aborted/i);
    expect((await service.counts())['demo']).toMatchObject({ requests: 1, mostInAnyMinute: 1 });
  });

  it('takes requests under a fault for requests once it is over', async () => {
    let fault: Fault = 'error';
    const service = await startService({ fault: () => fault });
    for (let request = 0; request < 5; request += 1) await service.logins();
    fault = 'none';

    expect((await service.logins()).json).toEqual({ status: 'error', message: 'Max limit exceeded' });
  });

  it('answers 404 to an operation it does not have', async () => {
    const { ask } = await startService();

    expect(await ask('/ca_apis/other')).toMatchObject({ status: 404, json: { status: 'error', message: 'Not found' } });
  });
});
