/** What an op does. */

export const cpu = 0;
export const wait = 1;
export const call = 2;
export const end = 3;
export const publish = 4;
export const push = 5;
export const fork = 6;
export const choose = 7;
export const begin = 8;
export const commit = 9;
export const lock = 10;
export const take = 11;
export const put = 12;
export const cache = 13;
export const chance = 14;
export const jump = 15;
