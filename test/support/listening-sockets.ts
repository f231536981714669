import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { childrenOf } from './sandbox.ts';

interface ListeningSocket {
  /** In hexadecimal, as the system writes it. */
  readonly address: string;
  readonly port: number;
}

const listening = '0A';

/** 127.0.0.1, the same as an address of IPv6, and ::1. */
const loopback = ['0100007F', '0000000000000000FFFF00000100007F', '00000000000000000000000001000000'];

export const isLoopback = ({ address }: ListeningSocket): boolean => loopback.includes(address);

/** A process, and what it and its children started. */
const treeOf = async (pid: number): Promise<readonly number[]> => {
  const children = await childrenOf(pid);
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
};

/** What a process has open. One that has just ended has nothing. */
const openFiles = (pid: number): readonly string[] => {
  const folder = `/proc/${pid}/fd`;
  const linkOf = (name: string): readonly string[] => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return [];
    }
  };
  try {
    return readdirSync(folder).flatMap(linkOf);
  } catch {
    return [];
  }
};

/** Every socket of TCP on which a process or one that it started listens. Linux only. */
export const listeningSockets = async (pid: number): Promise<readonly ListeningSocket[]> => {
  const open = new Set((await treeOf(pid)).flatMap(openFiles));
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1, -1));
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === listening && open.has(`socket:[${inode}]`) ? [{ address, port: Number.parseInt(port, 16) }] : [];
  });
};
