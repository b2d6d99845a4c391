# SPDX-License-Identifier: Apache-2.0
"""Nodes of rclpy for the tests: rclpy_node.py NAME KIND, where KIND is brain or planner."""

import sys

import rclpy
from epuck_fixed_order.executor import FixedOrderExecutor
from rclpy.node import Node
from std_msgs.msg import String
from std_srvs.srv import Trigger


class Brain(Node):
    """Hears scans, asks the planner, and commands; counts by a timer."""

    def __init__(self, name):
        super().__init__(name)
        self.heard = 0
        self.command = self.create_publisher(String, '/command', 10)
        self.count = self.create_publisher(String, '/count', 10)
        self.plan = self.create_client(Trigger, '/plan')
        self.create_subscription(String, '/scan', self.scan, 10)
        self.create_subscription(String, '/count', lambda m: None, 10)
        self.create_timer(0.025, self.tick)

    async def scan(self, message):
        self.heard += 1
        mine = self.heard
        answer = await self.plan.call_async(Trigger.Request())
        self.command.publish(String(data='%s %d %d %s' % (message.data, mine, self.heard, answer.message)))

    def tick(self):
        self.count.publish(String(data='%d at %d' % (self.heard, self.get_clock().now().nanoseconds)))


class Planner(Node):
    """Answers with plans of different lengths."""

    def __init__(self, name):
        super().__init__(name)
        self.plans = 0
        self.create_service(Trigger, '/plan', self.plan)

    def plan(self, _, response):
        self.plans += 1
        response.message = 'x' * (self.plans % 5)
        return response


rclpy.init()
node = {'brain': Brain, 'planner': Planner}[sys.argv[2]](sys.argv[1])
executor = FixedOrderExecutor(sys.argv[1])
executor.add_node(node)
executor.spin()
rclpy.shutdown()
