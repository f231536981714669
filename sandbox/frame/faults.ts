import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import { keysOf } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { type Answer, type Handle, prettyJson, problemsOf } from './serve.ts';

/** Answers that become good: the first `answers` of a recording are odd, and then it is served whole. */
export const passing = ['absent', 'empty', 'html', 'short'] as const;

/** Answers that stay as they are. A redirect on the host leads to the recording, one elsewhere must not be followed. */
const lasting = ['redirect', 'elsewhere', 'gone', 'expired'] as const;

export const oddities = [...passing, ...lasting] as const;
export type Oddity = (typeof oddities)[number];

const rate = z.number().min(0).max(1).default(1);

/** How a service fails: it throttles, answers an error of its own, or never answers. `rate` is a share of its requests. */
const ServiceFault = z.strictObject({ mode: z.enum(['none', 'throttle', 'error', 'timeout']), rate });
export type FaultMode = z.infer<typeof ServiceFault>['mode'];

/** With `both` the share `rate` of the calls is lost, and the same share of the others has only a poorer callback. */
const CallbackFault = z.strictObject({ mode: z.enum(['none', 'lose', 'poorer', 'both']), rate });
export type CallbackFault = z.infer<typeof CallbackFault>;

/** `answers` says how many answers are odd before a recording that comes later is there. */
const RecordingFault = z.strictObject({
  mode: z.enum(['none', 'mixed', ...oddities]),
  rate,
  answers: z.int().min(1).max(1_000).default(2),
});
export type RecordingFault = z.infer<typeof RecordingFault>;

export const faultSchemas = {
  dynamodb: ServiceFault,
  eventbridge: ServiceFault,
  queue: ServiceFault,
  provider: ServiceFault,
  callbacks: CallbackFault,
  recordings: RecordingFault,
} as const;
export type FaultName = keyof typeof faultSchemas;
export type ServiceName = Exclude<FaultName, 'callbacks' | 'recordings'>;
export const faultNames: readonly FaultName[] = keysOf(faultSchemas);

const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultSchemas, name);

export type FaultState = { readonly [Name in FaultName]: z.infer<(typeof faultSchemas)[Name]> };
export type Fault = FaultState[FaultName];

const none = { mode: 'none', rate: 1 } as const;
const noFaults: FaultState = {
  dynamodb: none,
  eventbridge: none,
  queue: none,
  provider: none,
  callbacks: none,
  recordings: { ...none, answers: 2 },
};

export const createFaultBoard = (random: () => number = Math.random) => {
  const changes = new EventEmitter().setMaxListeners(0);
  let state = noFaults;

  return {
    state: () => state,
    set<Name extends FaultName>(name: Name, fault: FaultState[Name]) {
      state = { ...state, [name]: fault };
      changes.emit(name);
    },
    draw(name: ServiceName): FaultMode {
      const { mode, rate } = state[name];
      return random() < rate ? mode : 'none';
    },
    async untilLifted(name: ServiceName) {
      while (state[name].mode === 'timeout') await once(changes, name);
    },
    clear() {
      state = noFaults;
      for (const name of faultNames) changes.emit(name);
    },
  };
};

export type FaultBoard = ReturnType<typeof createFaultBoard>;

/** Without `throttle`, the service applies that fault itself. */
export interface FaultAnswers {
  readonly throttle?: Answer;
  readonly error: Answer;
}

export const withFaults =
  (board: Pick<FaultBoard, 'draw' | 'untilLifted'>, name: ServiceName, answers: FaultAnswers, handle: Handle): Handle =>
  async (request) => {
    const mode = board.draw(name);
    if (mode === 'error') return answers.error;
    if (mode === 'throttle' && answers.throttle !== undefined) return answers.throttle;
    if (mode !== 'timeout') return await handle(request);

    await board.untilLifted(name);
    return answers.error;
  };

export const listFaults = (board: FaultBoard): Answer => prettyJson(200, board.state());

export const setFault = (board: FaultBoard, name: string, body: string, log: (text: string) => void): Answer => {
  if (!isFaultName(name))
    return prettyJson(404, { message: `"${name}" is unknown. Faults can be set for: ${faultNames.join(', ')}.` });

  const fault = faultSchemas[name].safeParse(tryParseJson(body));
  if (!fault.success) return prettyJson(400, { message: `${problemsOf(fault.error)}. ${allowedFault(name)}` });
  board.set(name, fault.data);
  log(faultText(name, fault.data));
  return listFaults(board);
};

const faultText = (name: FaultName, { mode, rate }: Fault): string =>
  mode === 'none' ? `${name}: none` : `${name}: ${mode}, rate ${rate}`;

const allowedFault = (name: FaultName): string => {
  const modes = faultSchemas[name].shape.mode.options.map((mode) => `"${mode}"`).join(' | ');
  const answers = name === 'recordings' ? ', "answers": 1 to 1000' : '';
  return `Send {"mode": ${modes}, "rate": 0 to 1${answers}}; without a rate, all are affected.`;
};
