import { testSystem } from './shipped.js';

testSystem('one-box');
