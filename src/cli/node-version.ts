import { versions } from 'node:process';

/** Of the Node that runs this: `20.11.0`. */
export const nodeVersion = versions.node;
