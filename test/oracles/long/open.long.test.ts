import { exponential } from '../statistical/exponential.js';
import { general } from '../statistical/general.js';
import { familyOf } from '../support/family.js';

familyOf('open queues', [...exponential, ...general]);
