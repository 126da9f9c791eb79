import { familyOf } from './support/family.js';
import { buckets, fluid, tryingAgain } from './statistical/trying-again.js';

familyOf('trying again and limits of the rate', [...tryingAgain, ...fluid, ...buckets]);
