# python3 bench/engine/peers/simpy2.py REQUESTS SERVERS ARRIVALS/S SERVED/S
# M/M/c as the documentation of SimPy 2 writes a queue: a process for each request, a resource with as many units as servers.
import json
import random
import resource
import sys

try:
    import SimPy
    from SimPy.Simulation import Process, Resource, activate, hold, initialize, now, release, request, simulate
except ImportError:
    print(json.dumps({'absent': 'not installed'}))
    sys.exit(0)

requests, servers, arrivals_per_s, served_per_s = (float(word) for word in sys.argv[1:])
chance = random.Random(1)
stays = [0, 0.0]


class Request(Process):
    def visit(self, web):
        came = now()
        yield request, self, web
        yield hold, self, chance.expovariate(served_per_s)
        yield release, self, web
        stays[0] += 1
        stays[1] += now() - came


class Users(Process):
    def ask(self, web):
        while True:
            yield hold, self, chance.expovariate(arrivals_per_s)
            one = Request()
            activate(one, one.visit(web))


def user_s():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


before = user_s()
initialize()
users = Users()
activate(users, users.ask(Resource(capacity=int(servers))))
simulate(until=requests / arrivals_per_s)
cpu_s = user_s() - before
print(json.dumps({'name': 'SimPy ' + SimPy.__version__, 'requests': stays[0], 'cpuS': cpu_s, 'meanMs': stays[1] / stays[0] * 1000}))
