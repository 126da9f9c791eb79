import { testSystem } from './shipped.js';

testSystem('first-version');
