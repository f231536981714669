/** What happens to one call that a function makes to AWS or to the telephony service. */
export const faultKinds = [
  'pass',
  /** The service fails, without effect. */
  'fail',
  /** The service throttles the call, without effect. */
  'throttle',
  /** The call takes effect, but its answer is lost. */
  'lose',
  /** Only some of several entries are accepted; a call with one entry passes. */
  'partial',
  /** The process crashes before the call takes effect. */
  'crash-before',
  /** The process crashes after the call has taken effect. */
  'crash-after',
] as const;
/** `hang`: AWS never answers, so the caller has to give up. Without effect, and never drawn: it takes real time. */
export type Fault = (typeof faultKinds)[number] | 'hang';

export type ServiceName = 'dynamodb' | 'sqs' | 'eventbridge' | 'secrets' | 's3' | 'recordings' | 'telephony';

/** A call that is about to be made; `index` counts the calls of its process from 0. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly index: number;
  /** The request’s body, such as the JSON with the names of tables. */
  readonly body: () => string;
}

export type FaultInjector = (call: Call) => Fault;

export const noFault: FaultInjector = () => 'pass';

/** The crash of a process: none of its later calls takes effect. */
export class ProcessCrash extends Error {
  override readonly name = 'ProcessCrash';
}

const lostAnswer = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });

/** A process with the faults of `faultFor` in its calls. Each call waits for its turn. */
export const createFaultyProcess = (faultFor: FaultInjector, turn: () => Promise<void>) => {
  let index = 0;
  let crashed = false;

  return {
    /** Makes a call. It takes effect unless the process has crashed or crashes before it. */
    async call<Of>(about: Omit<Call, 'index'>, effect: (fault: Fault) => Promise<Of>): Promise<Of> {
      const fault = faultFor({ ...about, index: index++ });
      await turn();
      if (crashed) throw new ProcessCrash();
      if (fault === 'crash-before') crashed = true;
      if (crashed) throw new ProcessCrash();
      const answer = await effect(fault);
      if (fault === 'crash-after') crashed = true;
      if (crashed) throw new ProcessCrash();
      if (fault === 'lose') throw lostAnswer();
      return answer;
    },
    hasCrashed: (): boolean => crashed,
  };
};

export type FaultyProcess = ReturnType<typeof createFaultyProcess>;
