import { testSystem } from './shipped.js';

testSystem('pod-latency');
