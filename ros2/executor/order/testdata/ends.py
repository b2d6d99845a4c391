# SPDX-License-Identifier: Apache-2.0
"""How a member of the Python in deploy/ros ends: ends.py FOLDER."""

import json
import sys

sys.path.insert(0, sys.argv[1])
from protocol import LeaderLost, MAX_LENGTH, Member, TooLong  # noqa: E402


class Scene:
    """A member that has got its welcome, a clock that stands, and what the member said."""

    def __init__(self, welcome=True):
        self.now, self.said = 100.0, []
        self.member = Member('b', lambda text: self.said.append(json.loads(text)), now=lambda: self.now)
        self.member.sign()
        if welcome:
            self.leader(kind='welcome', at=[0, 0], start=[0, 0])

    def leader(self, **fields):
        self.member.receive(json.dumps(dict(fields, version=1, leader='l', member='b', session=self.member.session)))

    def watch(self, *there):
        try:
            self.member.watch(lambda: there)
        except LeaderLost:
            return True
        return False


def end_for_all():
    scene = Scene()
    scene.member.receive(json.dumps({'version': 1, 'kind': 'end', 'leader': 'other'}))
    assert not scene.member.over
    scene.member.receive(json.dumps({'version': 1, 'kind': 'end', 'leader': 'l'}))
    assert scene.member.over


def end_without_a_welcome():
    scene = Scene(welcome=False)
    scene.member.receive(json.dumps({'version': 1, 'kind': 'end', 'leader': 'l'}))
    assert not scene.member.over
    scene.leader(kind='end')
    scene.member.leave()
    assert scene.member.over and scene.said[-1]['kind'] == 'leave' and scene.said[-1]['leader'] == 'l'


def end_while_a_message_is_awaited():
    scene = Scene()
    scene.member.add_endpoint('subscription', '/scan', 'std_msgs/msg/String', callback=None)
    scene.leader(kind='grant', number=1, at=[1, 0], deliveries=[{'number': 1, 'endpoint': 1, 'sum': '0' * 16}])
    assert not scene.member.over and scene.said[-1]['kind'] == 'hello'
    scene.leader(kind='end')
    assert scene.member.over


def leader_lost():
    scene = Scene()
    assert not scene.watch('stranger', 'leader')
    scene.now += 1
    assert not scene.watch('leader')
    for there, step in (('another',), 0.2), (('leader',), 1), (('another',), 0.1):  # a break that is short
        scene.now += step + 1
        assert not scene.watch(*there)
        scene.now += 0.1
        assert not scene.watch(*there)
    scene.now += 0.2
    assert scene.watch('another')


def answer_too_long():
    scene = Scene()

    def talk():
        for _ in range(MAX_LENGTH // 100):
            scene.member.sent('message', '/scan', '0' * 16)
    scene.member.set_alarm(scene.member.new_place(), 1, '/b', 'talk', talk)
    try:
        scene.leader(kind='grant', number=1, at=[1, 0])
        raise AssertionError('it went on')
    except TooLong as e:
        assert str(e).startswith('done of member b has ') and str(e).endswith(' bytes, at most 4194304 are read'), e
        assert scene.said[-1]['kind'] == 'alive' and scene.said[-1]['waits'] == ['it has ended: %s' % e], scene.said[-1]
    scene.member.leave()
    assert scene.said[-1]['kind'] == 'alive'


scenes = (end_for_all, end_without_a_welcome, end_while_a_message_is_awaited, leader_lost, answer_too_long)
for s in scenes:
    s()
print('%d ends' % len(scenes))
