import { balancing, twoChoices } from '../statistical/balancing.js';
import { sharing } from '../statistical/sharing.js';
import { familyOf } from '../support/family.js';

familyOf('shared cores and balanced servers', [...sharing, ...balancing, ...twoChoices]);
