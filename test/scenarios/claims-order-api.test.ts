import { testSystem } from './shipped.js';

testSystem('order-api');
