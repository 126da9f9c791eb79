import type { Study } from '../../src/study/types.js';
import { anyStudy } from './any-study.js';

/** Systems of every shape that lanes and boards have to place, by what is special about them. */
export const smallSystems: Readonly<Record<string, Study>> = {
  'one service': anyStudy({ users: ['web'] }, [{ name: 'web' }]),
  'a chain of five': anyStudy({ users: ['edge'] }, [{ name: 'edge', calls: ['web'] }, { name: 'web', instances: 6, calls: ['orders'] }, { name: 'orders', calls: ['orders-db'] }, { name: 'orders-db', kind: 'store' }]),
  'two traffics, three leaves': anyStudy({ users: ['web'], partners: ['web'] }, [{ name: 'web', instances: 3, calls: ['cache', 'db', 'mail'] }, { name: 'cache', kind: 'cache' }, { name: 'db', kind: 'store' }, { name: 'mail', kind: 'external' }]),
  'siblings in the layer of the lanes': anyStudy({ users: ['web', 'static', 'login'] }, [{ name: 'web', instances: 6, calls: ['db'] }, { name: 'static' }, { name: 'login', calls: ['db'] }, { name: 'db', kind: 'store' }]),
  'a link that passes the lanes': anyStudy({ users: ['edge'] }, [{ name: 'edge', kind: 'balancer', checks: true, calls: ['web', 'db'] }, { name: 'web', instances: 6, calls: ['db'] }, { name: 'db', kind: 'store' }]),
  'unlimited slots': anyStudy({ users: ['web'] }, [{ name: 'web', instances: 2, slots: null, calls: ['db'] }, { name: 'db', kind: 'store', slots: null }]),
  'long names': anyStudy({ 'customers-of-the-whole-shop': ['the-edge-balancer-of-region-one'] }, [{ name: 'the-edge-balancer-of-region-one', kind: 'balancer', checks: true, calls: ['the-service-that-takes-all-orders-of-the-shop'] }, { name: 'the-service-that-takes-all-orders-of-the-shop', instances: 4, calls: ['the-store-of-all-orders'] }, { name: 'the-store-of-all-orders', kind: 'store' }]),
  'more instances than lanes': anyStudy({ users: ['lb'] }, [{ name: 'lb', kind: 'balancer', checks: true, calls: ['web'] }, { name: 'web', instances: 60 }]),
  'more services than places': anyStudy({ users: ['a'] }, [{ name: 'a', calls: ['b'] }, { name: 'b', calls: ['c'] }, { name: 'c', calls: ['d'] }, { name: 'd', calls: ['e'] }, { name: 'e', calls: ['f'] }, { name: 'f', calls: ['g'] }, { name: 'g', instances: 3 }]),
};
