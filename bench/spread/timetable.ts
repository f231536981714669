/** Whole numbers, each to be had back in the second for which it was put down. */
export interface Timetable {
  add(second: number, value: number): void;
  /** What was put down for a second, which is forgotten thereby. Seconds are asked for one after the other. */
  take(second: number): Int32Array;
}

const firstRoom = 1_024;

/** Nothing yet. Nothing can be put down for more than `ahead` seconds after the last one that was taken. */
export const timetable = (ahead: number): Timetable => {
  const rooms = Array.from({ length: ahead + 1 }, () => new Int32Array(firstRoom));
  const counts = new Int32Array(ahead + 1);
  const none = new Int32Array(0);

  return {
    add(second, value) {
      const place = second % (ahead + 1);
      const count = counts[place] ?? 0;
      const room = roomFor(rooms[place] ?? none, count);
      rooms[place] = room;
      room[count] = value;
      counts[place] = count + 1;
    },
    take(second) {
      const place = second % (ahead + 1);
      const taken = (rooms[place] ?? none).slice(0, counts[place]);
      counts[place] = 0;
      return taken;
    },
  };
};

const roomFor = (room: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> => {
  if (count < room.length) return room;
  const larger = new Int32Array(2 * Math.max(firstRoom, room.length));
  larger.set(room);
  return larger;
};
