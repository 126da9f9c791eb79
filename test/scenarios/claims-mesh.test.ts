import { testSystem } from './shipped.js';

testSystem('mesh');
