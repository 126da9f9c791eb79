/**
 * Flags of a call. `abandoned`: nobody waits for its end. `offSlots`: takes neither slot nor queue. `granted`: what it waited for is its own, it goes on at this
 * instant. `branch`: one of several programs that a call runs at once. `message`: lies in a queue, or was taken out of one. `fresh`: its first turn of the event
 * loop has not begun. `lost`: no answer will ever come. `ended`: stands still with an end to be told when its process goes on.
 * `standing`: in the list of those that stand still; what is seen when its process goes on: `due`: its timer or the timeout of its attempt was due; `told`: the
 * answer of its attempt is there; `late`: its deadline has passed.
 */

export const abandoned = 1;
export const probe = 2;
export const holdsSlot = 4;
export const inside = 8;
export const offSlots = 16;
export const granted = 32;
export const branch = 64;
export const message = 128;
export const fresh = 256;
export const lost = 512;
export const ended = 1024;
export const atDoor = 2048;
export const standing = 4096;
export const due = 8192;
export const told = 16384;
export const late = 32768;
