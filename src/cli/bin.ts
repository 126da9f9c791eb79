#!/usr/bin/env node
import { realHost } from '../host.js';
import { main } from './program.js';

process.exitCode = await main(realHost());
