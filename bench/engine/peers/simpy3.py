# python3 bench/engine/peers/simpy3.py REQUESTS SERVERS ARRIVALS/S SERVED/S
# M/M/c as the documentation of SimPy 3 writes a queue: a process for each request, a resource with as many places as servers.
import json
import random
import resource
import sys

try:
    import simpy
except ImportError:
    print(json.dumps({'absent': 'not installed'}))
    sys.exit(0)

requests, servers, arrivals_per_s, served_per_s = (float(word) for word in sys.argv[1:])
chance = random.Random(1)
stays = [0, 0.0]


def request(env, web):
    came = env.now
    with web.request() as place:
        yield place
        yield env.timeout(chance.expovariate(served_per_s))
    stays[0] += 1
    stays[1] += env.now - came


def users(env, web):
    while True:
        yield env.timeout(chance.expovariate(arrivals_per_s))
        env.process(request(env, web))


def user_s():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


before = user_s()
env = simpy.Environment()
web = simpy.Resource(env, capacity=int(servers))
env.process(users(env, web))
env.run(until=requests / arrivals_per_s)
cpu_s = user_s() - before
print(json.dumps({'name': 'SimPy ' + simpy.__version__, 'requests': stays[0], 'cpuS': cpu_s, 'meanMs': stays[1] / stays[0] * 1000}))
