import { forksAndTails } from '../statistical/networks.js';
import { familyOf } from '../support/family.js';

familyOf('parts at the same time', forksAndTails);
