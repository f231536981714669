import { describe, expect, it } from 'vitest';
import { pidsIn, sandboxCommand } from '../../../torture/sandbox/sandbox-command.ts';

const command = sandboxCommand({ data: '/tmp/kept', traffic: false });

describe('sandboxCommand', () => {
  it('runs the sandbox under the guard, on free ports, with what it is told to keep', () => {
    expect(command[0]).toMatch(/sandbox\/dynamodb\/guard\.ts$/);
    expect(command.join(' ')).toMatch(/sandbox\/main\.ts --port 0 .* --data \/tmp\/kept --no-traffic$/);
  });

  it('takes a port, and lets itself be inspected, where it is asked to', () => {
    const asked = sandboxCommand({ data: '/tmp/kept', traffic: true, port: 3456, inspected: true });

    expect(asked.join(' ')).toMatch(/ --inspect=\S+ \S+sandbox\/main\.ts --port 3456 /);
    expect(asked).not.toContain('--no-traffic');
  });
});

describe('pidsIn', () => {
  it('tells the processes that work from the guards that hold them', () => {
    const [guard = '', node, ...sandbox] = command;
    const tree = [
      { pid: 1, parent: 0, command: command.join(' ') },
      { pid: 2, parent: 1, command: [node, ...sandbox].join(' ') },
      { pid: 3, parent: 2, command: `${node} ${guard} java -jar /x/DynamoDBLocal.jar` },
      { pid: 4, parent: 3, command: 'java -jar /x/DynamoDBLocal.jar' },
    ];

    expect(pidsIn(tree)).toEqual({ sandbox: 2, dynamodb: 4 });
    expect(pidsIn([])).toEqual({ sandbox: 0, dynamodb: 0 });
  });
});
