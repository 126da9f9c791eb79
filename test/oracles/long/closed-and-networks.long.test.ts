import { closedNetworks, closedUsers } from '../statistical/closed.js';
import { networks } from '../statistical/networks.js';
import { familyOf } from '../support/family.js';

familyOf('closed users and networks', [...closedUsers, ...closedNetworks, ...networks]);
