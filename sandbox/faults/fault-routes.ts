import { parsed } from '../../lib/json/parsed.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { Answer } from '../http/serve.ts';
import { Fault, type FaultName, faultModes, faultNames, isFaultName } from './fault.ts';
import type { FaultBoard } from './fault-board.ts';

/** An answer of the sandbox's own, indented for people to read. */
export const json = (status: number, body: unknown): Answer => jsonAnswer(status, body, 2);

const allowed = `Send {"mode": ${faultModes.map((mode) => `"${mode}"`).join(' | ')}, "rate": 0 to 1}; without a rate, every request is hit.`;

/** GET /_sandbox/faults: what is in force. */
export const tellFaults = (board: FaultBoard): Answer => json(200, board.state());

/** PUT /_sandbox/faults/{name}: puts a fault in force, and answers with all that are. `onSet` is told of it. */
export const setFault = (
  board: FaultBoard,
  name: string,
  body: string,
  onSet: (name: FaultName, fault: Fault) => void,
): Answer => {
  if (!isFaultName(name))
    return json(404, { message: `Nothing is called "${name}" here. There is: ${faultNames.join(', ')}.` });

  const fault = Fault.safeParse(parsed(body));
  if (!fault.success) {
    const wrong = fault.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
    return json(400, { message: `${wrong}. ${allowed}` });
  }
  board.set(name, fault.data);
  onSet(name, fault.data);
  return tellFaults(board);
};
