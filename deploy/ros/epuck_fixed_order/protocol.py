# SPDX-License-Identifier: Apache-2.0
"""What a member of an application in a fixed order says and does. It knows no ROS: executor.py ties it to rclpy."""

import hashlib
import json
import time
import uuid

VERSION = 1
# Of the machine's time, in seconds: hello until there is a welcome, alive, and alive after something came from outside.
HELLO_INTERVAL, ALIVE_INTERVAL, SETTLING = 0.2, 1.0, 0.02
# After so long a callback is named in the signs of life.
LONG = 5.0
# Longer messages are not read by others, in bytes.
MAX_LENGTH = 4 << 20


class Refused(Exception):
    """The leader does not let this process take part."""


class LeaderLost(Exception):
    """The leader has left the network without a word, or is not heard of any more."""


class TooLong(Exception):
    """What this process has to say of one tag is longer than the leader reads."""


def sum_of(payload):
    """Identify a message by its CDR form: header, and padding at the end, do not count."""
    return hashlib.sha256(bytes(payload[4:]).rstrip(b'\0')).hexdigest()[:16]


class Member:
    """
    Runs callbacks when the leader says so.

    :param name: one of the leader's members
    :param say: sends a text to the leader
    :param start: called with the time in ns that clocks show at a tag, before callbacks of that tag run
    """

    def __init__(self, name, say, show=lambda ns: None, now=time.monotonic):
        self.name, self.session = name, uuid.uuid4().hex
        self.over = False  # the run has ended
        self._say, self._show, self._now = say, show, now
        self._leader = None
        self._leads = set()  # publishers of the leader's topic when it was found: one is the leader's
        self._missed = None  # since when none of them is there
        self._look = 0.0  # when to look next
        self._mute = False  # nothing more can be said
        self._origin = 0  # ns that clocks show at the tag (0, 0)
        self._at = (0, 0)
        self._endpoints = {}  # by number
        self._changed = False
        self._places = 0
        self._held = []  # (endpoint, sum, item), as they came
        self._alarms = {}  # place: (tag, name of the node, name, callback)
        self._grant = None  # that waits for its messages
        self._grant_since = 0.0
        self._ran, self._answer = 0, None
        self._run = None  # the callback at work
        self._begun = 0.0
        self._sends = []
        self._due = 0.0  # when the next sign of life is

    # What the program has.

    def add_endpoint(self, role, name, kind, reliable=True, kept=False, node='/', callback=None):
        """
        Add a publisher, subscription, service or client and return its number.

        The callback gets the item that came, and the number of the request, of a service.
        """
        self._places += 1
        endpoint = {'id': self._places, 'role': role, 'name': name, 'type': kind}
        if reliable:
            endpoint['reliable'] = True
        if kept:
            endpoint['kept'] = True
        if role != 'publisher':
            endpoint['node'] = node
        self._endpoints[self._places] = (endpoint, node, callback)
        self._changed = True
        return self._places

    def remove_endpoint(self, number):
        """Forget an endpoint and what came for it."""
        del self._endpoints[number]
        self._held = [h for h in self._held if h[0] != number]
        self._changed = True

    def matched(self, number, count):
        """Say with how many endpoints one is connected."""
        endpoint = self._endpoints[number][0]
        if endpoint.get('matched', 0) != count:
            endpoint['matched'] = count
            self._changed = True
            if self._leader is None or not self._ran:
                self._due = 0.0

    def new_place(self):
        """Return the number of something that has alarms. The order of the calls is the order of the callbacks."""
        self._places += 1
        return self._places

    def set_alarm(self, place, after, node, name, callback):
        """Let a callback run so many ns later; None: no more."""
        if after is None:
            self._alarms.pop(place, None)
        else:
            self._alarms[place] = ((self._at[0] + max(0, after), 0), node, name, callback)

    def time(self):
        """Return the ns that clocks show."""
        return self._origin + self._at[0]

    # What happens.

    def arrived(self, endpoint, total, item):
        """Hold a received message, with its sum, until its place in the order."""
        self._held.append((endpoint, total, item))
        self._due = min(self._due, self._now() + SETTLING)
        self._progress()

    def sent(self, kind, name, total, client=None, to=None):
        """Report what the callback at work sends: a 'message', 'request' or 'reply'. Other threads send out of order."""
        if self._run is None:
            return
        send = {'kind': kind, 'name': name, 'sum': total}
        if client is not None:
            send['from'] = client
        if to is not None:
            send['to'] = to
        self._sends.append(send)
        if kind == 'message':
            self._run.setdefault('sent', []).append({'topic': name, 'sum': total})

    def receive(self, text):
        """Do what the leader says."""
        try:
            m = json.loads(text)
            if m['version'] != VERSION:
                return
            kind, leader = m['kind'], m['leader']
        except (ValueError, KeyError, TypeError):
            return
        mine = m.get('member') == self.name and m.get('session') == self.session
        if kind == 'end' and (leader == self._leader or mine and self._leader is None):
            self.over, self._leader = True, leader
        if not mine:
            return
        if kind == 'refuse' and self._leader in (None, leader):
            raise Refused(m.get('text', ''))
        if kind == 'welcome' and self._leader is None:
            self._leader, self._at = leader, tuple(m['at'])
            self._origin = m['start'][0] * 10**9 + m['start'][1]
            self._show(self.time())
        elif leader != self._leader:
            return
        elif kind == 'grant' and m['number'] == self._ran and self._answer is not None:
            self._send(self._answer)
        elif kind == 'grant' and m['number'] == self._ran + 1 and self._grant is None:
            self._grant, self._grant_since = m, self._now()
            self._progress()

    def pause(self):
        """Return how many seconds may pass until sign is to be called."""
        return max(0.0, self._due - self._now())

    def sign(self):
        """Say hello, or that the member is alive, if it is time to. Any thread may call it."""
        now = self._now()
        if now < self._due:
            return
        self._due = now + (HELLO_INTERVAL if self._leader is None else ALIVE_INTERVAL)
        m = self._head('hello' if self._leader is None else 'alive')
        if self._grant is None and self._ran:
            m['number'] = self._ran
        m.update(self._state())
        m['endpoints'] = [e[0] for e in self._endpoints.values()]
        if self._run is not None and now - self._begun >= LONG:
            m['waits'] = ['%s %s of %s, %ds' % (self._run['source'], self._run['name'], self._run['node'], now - self._begun)]
        elif self._grant is not None and self._run is None and now - self._grant_since >= LONG:
            m['waits'] = ['a message for %s, %ds' % (self._lacks(), now - self._grant_since)]
        self._send(m)

    def watch(self, publishers):
        """
        Look whether the leader is there, if it is time to; call it as often as sign.

        :param publishers: returns what identifies the publishers of the leader's topic
        """
        now = self._now()
        if self._leader is None or now < self._look:
            return
        there = set(publishers())
        self._look = now + ALIVE_INTERVAL
        if not self._leads:
            self._leads = there
        elif self._leads & there:
            self._missed = None
        elif self._missed is None:  # a leader that ends waits for the good-byes of its members before
            self._missed, self._look = now, now + HELLO_INTERVAL
            self._due = min(self._due, self._look)
        elif now - self._missed >= HELLO_INTERVAL:
            raise LeaderLost('its publisher is gone')

    def leave(self):
        """Say good-bye."""
        if self._leader is not None and not self._mute:
            self._send(self._head('leave'))

    # How it is done.

    def _head(self, kind):
        m = {'version': VERSION, 'kind': kind, 'member': self.name, 'session': self.session}
        if self._leader is not None:
            m['leader'] = self._leader
        return m

    def _send(self, m):
        """Send a message. The leader is informed of what it would not read: it waits for it."""
        text = json.dumps(m)
        if len(text) <= MAX_LENGTH:
            self._say(text)
            return
        self._mute = True
        error = '%s of member %s has %d bytes, at most %d are read' % (m['kind'], self.name, len(text), MAX_LENGTH)
        last = self._head('alive')
        last['waits'] = ['it has ended: ' + error]
        last['endpoints'] = [e[0] for e in self._endpoints.values()]
        text = json.dumps(last)
        if len(text) <= MAX_LENGTH:
            self._say(text)
        raise TooLong(error)

    def _state(self):
        """Say when there is something to do, and what is held."""
        state = {'own': True}
        if self._alarms:
            state['next'] = list(min(a[0] for a in list(self._alarms.values())))
        held = {}
        for endpoint, total, _ in list(self._held):
            held[endpoint, total] = held.get((endpoint, total), 0) + 1
        if held:
            state['held'] = [{'endpoint': e, 'sum': s, 'count': n} for (e, s), n in held.items()]
        return state

    def _find(self, delivery, besides):
        for i, h in enumerate(self._held):
            if i not in besides and h[0] == delivery['endpoint'] and h[1] == delivery['sum']:
                return i
        return None

    def _lacks(self):
        """Name the endpoint whose message has not come; None if all have."""
        used = set()
        for d in self._grant.get('deliveries', []):
            if d['endpoint'] not in self._endpoints:
                continue
            i = self._find(d, used)
            if i is None:
                e = self._endpoints[d['endpoint']][0]
                return '%s %s' % (e['role'], e['name'])
            used.add(i)
        return None

    def _progress(self):
        """Run the grant when all its messages have arrived."""
        if self._grant is None or self._run is not None or self._lacks() is not None:
            return
        at = tuple(self._grant['at'])
        events = []
        for d in self._grant.get('deliveries', []):
            if d['endpoint'] in self._endpoints:
                item = self._held.pop(self._find(d, ()))[2]
                endpoint, node, callback = self._endpoints[d['endpoint']]
                source = {'client': 'reply'}.get(endpoint['role'], endpoint['role'])
                got = d['sum'] if d.get('outside') else None
                events.append((d['endpoint'], node, source, endpoint['name'], got, callback, (item, d['number'])))
        for place in [p for p, a in self._alarms.items() if a[0] <= at]:
            _, node, name, callback = self._alarms.pop(place)
            events.append((place, node, 'timer', name, None, callback, ()))
        events.sort(key=lambda e: e[0])  # keeps the order of those of one place
        self._at = at
        self._show(self.time())
        runs, self._sends = [], []
        for _, node, source, name, got, callback, args in events:
            self._run, self._begun = {'at': list(at), 'node': node, 'source': source, 'name': name}, self._now()
            if got is not None:
                self._run.update(outside=True, got=got)
            runs.append(self._run)
            try:
                callback(*args)
            except BaseException:
                self._run = None
                raise
        self._run = None
        self._finish(runs)

    def _finish(self, runs):
        """Answer the grant."""
        m = self._head('done')
        m['number'] = self._grant['number']
        m.update(self._state())
        if runs:
            m['runs'] = runs
        if self._sends:
            m['sends'] = self._sends
        if self._changed:
            m['endpoints'] = [e[0] for e in self._endpoints.values()]
        self._changed = False
        self._ran, self._grant, self._answer = self._grant['number'], None, m
        self._send(m)
