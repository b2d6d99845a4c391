# SPDX-License-Identifier: Apache-2.0
"""
A process like one of rclpy's, for the tests: it speaks the protocol of deploy/ros with nothing but Python's standard
library. Its messages, std_msgs/String, pass through a socket to the test, which has the endpoints: a line of JSON each,
{"endpoint": N, "data": hex}; endpoint 0 is the protocol.

    peer.py PORT NAME KIND SLOWNESS     KIND is 'counter' or 'echo'; SLOWNESS the longest pause of a callback in ms
"""

import json
import random
import select
import socket
import struct
import sys
import time

from protocol import Member, sum_of

STRING = 'std_msgs/msg/String'


def cdr(text):
    data = text.encode() + b'\0'
    return b'\0\1\0\0' + struct.pack('<I', len(data)) + data


def text_of(payload):
    n, = struct.unpack_from('<I', payload, 4)
    return payload[8:8 + n - 1].decode()


class Peer:
    def __init__(self, port, name, kind, slowness):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.slowness = slowness
        self.member = Member(name, lambda text: self.write(0, cdr(text)))
        self.node = '/' + name
        self.heard, self.total = 0, 0
        getattr(self, kind)()

    def write(self, endpoint, payload):
        self.socket.sendall(json.dumps({'endpoint': endpoint, 'data': payload.hex()}).encode() + b'\n')

    def publisher(self, topic):
        number = self.member.add_endpoint('publisher', topic, STRING, node=self.node)
        self.write(-number, cdr('publisher ' + topic))

        def publish(text):
            payload = cdr(text)
            self.member.sent('message', topic, sum_of(payload))
            self.write(number, payload)
        return publish

    def subscription(self, topic, callback):
        def call(payload, _):
            self.pause()
            callback(text_of(payload))
        number = self.member.add_endpoint('subscription', topic, STRING, node=self.node, callback=call)
        self.write(-number, cdr('subscription ' + topic))

    def timer(self, name, period, callback):
        place = self.member.new_place()

        def call():
            self.member.set_alarm(place, period, self.node, name, call)
            self.pause()
            callback()
        self.member.set_alarm(place, period, self.node, name, call)

    def pause(self):
        if self.slowness:
            time.sleep(random.random() * self.slowness / 1000)

    # Two programs.

    def counter(self):
        """Hears all commands, and says each 25 ms what it makes of them, to itself, too."""
        count = self.publisher('/count')
        self.subscription('/command', lambda s: setattr(self, 'total', (self.total * 31 + len(s)) % 1000003))
        self.subscription('/count', lambda s: setattr(self, 'heard', self.heard + 1))
        self.timer('count', 25000000, lambda: count('%d %d' % (self.total, self.heard)))

    def echo(self):
        """Answers each count with a scan."""
        scan = self.publisher('/scan')

        def answer(text):
            self.total += len(text)
            scan('echo %s %d' % (text, self.total))
        self.subscription('/count', answer)

    def run(self):
        rest = b''
        while not self.member.over:
            self.member.sign()
            if not select.select([self.socket], [], [], min(self.member.pause(), 0.05))[0]:
                continue
            data = self.socket.recv(1 << 16)
            if not data:
                return
            *lines, rest = (rest + data).split(b'\n')
            for line in lines:
                m = json.loads(line)
                payload = bytes.fromhex(m['data'])
                if m['endpoint'] == 0:
                    self.member.receive(text_of(payload))
                elif m['endpoint'] < 0:
                    self.member.matched(-m['endpoint'], len(payload))
                else:
                    self.member.arrived(m['endpoint'], sum_of(payload), payload)
        self.member.leave()


Peer(int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])).run()
