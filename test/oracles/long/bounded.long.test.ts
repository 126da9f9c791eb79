import { bounded, boundedAndGivenUp } from '../statistical/bounded.js';
import { givingUp } from '../statistical/giving-up.js';
import { familyOf } from '../support/family.js';

familyOf('lines that end, callers who give up', [...bounded, ...boundedAndGivenUp, ...givingUp]);
