# SPDX-License-Identifier: Apache-2.0
"""
An executor of rclpy that runs callbacks in a fixed order, together with the nodes of other processes.

One line changes: SingleThreadedExecutor() becomes FixedOrderExecutor('brain'), where brain is one of the members of the
leader's process. Nodes see the leader's time on their ROS clock, and their timers follow it.
"""

from epuck_fixed_order.protocol import Member, sum_of
from rclpy.executors import Executor, ExternalShutdownException, ShutdownException, TimeoutException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.task import Task
from rclpy.time import Time
from rclpy.clock import ClockType
from std_msgs.msg import String

# Services that every node has: they answer at once, out of the order.
AT_ONCE = ('describe_parameters', 'get_parameters', 'get_parameter_types', 'list_parameters', 'set_parameters',
           'set_parameters_atomically')


def type_name(kind):
    """Write the type of a message or service as in std_msgs/msg/String."""
    parts = kind.__module__.split('.')
    return '%s/%s/%s' % (parts[0], parts[1], kind.__name__)


class FixedOrderExecutor(Executor):
    """
    Runs the callbacks of its nodes when the leader says so, one at a time.

    :param member: the name of this process
    :param application: the leader's
    """

    def __init__(self, member, *, application='fixed_order', context=None):
        super().__init__(context=context)
        self._own = Node('%s_%s' % (application, member), context=context, start_parameter_services=False, enable_rosout=False)
        qos = QoSProfile(depth=100)
        say = self._own.create_publisher(String, '/%s/members' % application, qos)
        self._member = Member(member, lambda text: say.publish(String(data=text)), self._show)
        self._listener = self._own.create_subscription(String, '/%s/leader' % application, lambda m: None, qos)
        self._numbers = {}  # of endpoints and timers, by entity
        self._tasks_of = []  # callbacks that wait: (task, what to do when it is done)
        super().add_node(self._own)

    def add_node(self, node):
        """Add a node; what it has, and what it makes later, takes part."""
        added = super().add_node(node)
        if added and node is not self._own:
            create = node.create_publisher

            def create_publisher(*args, **kwargs):
                publisher = create(*args, **kwargs)
                self._add_publisher(node, publisher)
                return publisher
            node.create_publisher = create_publisher
            self._refresh()
        return added

    @property
    def over(self):
        """Whether the leader has ended the run."""
        return self._member.over

    def spin(self):
        """
        Run callbacks until the run is over or rclpy is shut down.

        Refused, LeaderLost and TooLong of epuck_fixed_order.protocol end it, too.
        """
        try:
            while self._context.ok() and not self._is_shutdown and not self.over:
                self.spin_once()
        finally:
            if self._context.ok():
                self._member.leave()

    def spin_once(self, timeout_sec=None):
        """Do one thing."""
        self._refresh()
        self._member.sign()
        self._member.watch(self._leaders)
        pause = self._member.pause()
        try:
            handler, _, _ = self.wait_for_ready_callbacks(timeout_sec=pause if timeout_sec is None else min(pause, timeout_sec))
        except (ShutdownException, ExternalShutdownException, TimeoutException):
            return
        handler()
        if handler.exception() is not None:
            raise handler.exception()

    def spin_once_until_future_complete(self, future, timeout_sec=None):
        """Do one thing."""
        self.spin_once(getattr(timeout_sec, 'timeout', timeout_sec))

    def _leaders(self):
        """Identify the publishers of the leader's topic."""
        return [tuple(p.endpoint_gid) for p in self._own.get_publishers_info_by_topic(self._listener.topic_name)]

    # What nodes have.

    def _refresh(self):
        """Take note of what nodes have made or destroyed, and of what has been connected."""
        there = set()
        for node in sorted((n for n in self.get_nodes() if n is not self._own), key=lambda n: n.get_fully_qualified_name()):
            for publisher in list(node.publishers):
                there.add(publisher)
                self._add_publisher(node, publisher)
                self._member.matched(self._numbers[publisher], publisher.get_subscription_count())
            for subscription in list(node.subscriptions):
                there.add(subscription)
                if subscription not in self._numbers:
                    self._add_subscription(node, subscription)
                self._member.matched(self._numbers[subscription], node.count_publishers(subscription.topic_name))
            for service in list(node.services):
                if service.srv_name.rsplit('/', 1)[-1] not in AT_ONCE:
                    there.add(service)
                    if service not in self._numbers:
                        self._add_service(node, service)
            for client in list(node.clients):
                there.add(client)
                if client not in self._numbers:
                    self._add_client(node, client)
                self._member.matched(self._numbers[client], int(client.service_is_ready()))
            for timer in list(node.timers):
                there.add(timer)
                if timer not in self._numbers and timer.clock.clock_type == ClockType.ROS_TIME:
                    self._numbers[timer] = self._member.new_place()
                    self._schedule(node, timer)
            clock = node.get_clock()
            if clock.clock_type == ClockType.ROS_TIME and not clock.ros_time_is_active:
                clock._set_ros_time_is_active(True)
        for entity in [e for e in self._numbers if e not in there]:
            number = self._numbers.pop(entity)
            if hasattr(entity, 'timer_period_ns'):
                self._member.set_alarm(number, None, '', '', None)
            else:
                self._member.remove_endpoint(number)

    def _add_publisher(self, node, publisher):
        if publisher in self._numbers:
            return
        qos = publisher.qos_profile
        self._numbers[publisher] = self._member.add_endpoint(
            'publisher', publisher.topic_name, type_name(publisher.msg_type),
            qos.reliability == ReliabilityPolicy.RELIABLE, qos.durability == DurabilityPolicy.TRANSIENT_LOCAL)
        publish, topic = publisher.publish, publisher.topic_name

        def publish_and_report(message):
            data = message if isinstance(message, bytes) else serialize_message(message)
            self._member.sent('message', topic, sum_of(data))
            publish(data)
        publisher.publish = publish_and_report

    def _add_subscription(self, node, subscription):
        qos = subscription.qos_profile

        def call(data, _):
            message = data if subscription.raw else deserialize_message(data, subscription.msg_type)
            self._start(subscription.callback, (message,))
        self._numbers[subscription] = self._member.add_endpoint(
            'subscription', subscription.topic_name, type_name(subscription.msg_type),
            qos.reliability == ReliabilityPolicy.RELIABLE, qos.durability == DurabilityPolicy.TRANSIENT_LOCAL,
            node.get_fully_qualified_name(), call)

    def _add_service(self, node, service):
        name = node.resolve_service_name(service.srv_name)

        def call(item, number):
            request, header = item

            def respond(response):
                self._member.sent('reply', name, sum_of(serialize_message(response)), to=number)
                service.send_response(response, header)
            self._start(service.callback, (request, service.srv_type.Response()), respond)
        self._numbers[service] = self._member.add_endpoint(
            'service', name, type_name(service.srv_type), node=node.get_fully_qualified_name(), callback=call)

    def _add_client(self, node, client):
        name = node.resolve_service_name(client.srv_name)

        def call(item, _):
            header, response = item
            future = client._pending_requests.get(header.request_id.sequence_number)
            if future is not None:
                future._set_executor(self)
                future.set_result(response)
            self._go_on()
        number = self._numbers[client] = self._member.add_endpoint(
            'client', name, type_name(client.srv_type), node=node.get_fully_qualified_name(), callback=call)
        call_async = client.call_async

        def call_and_report(request):
            self._member.sent('request', name, sum_of(serialize_message(request)), client=number)
            return call_async(request)
        client.call_async = call_and_report

    def _schedule(self, node, timer):
        name = getattr(timer.callback, '__name__', 'timer')

        def call():
            if timer not in self._numbers:
                return
            self._schedule(node, timer)
            if not timer.is_canceled():
                self._start(timer.callback, ())
        self._member.set_alarm(self._numbers[timer], timer.timer_period_ns, node.get_fully_qualified_name(), name, call)

    # How callbacks run.

    def _start(self, callback, args, then=None):
        """Run a callback until it has ended or awaits something."""
        task = Task(callback, args, executor=None)
        self._tasks_of.append((task, then))
        task()
        self._go_on()

    def _go_on(self):
        """Resume callbacks whose awaited messages have arrived, the oldest first."""
        again = True
        while again:
            again = False
            for item in list(self._tasks_of):
                task, then = item
                if not task.done():
                    task()
                if task.done():
                    self._tasks_of.remove(item)
                    again = bool(self._tasks_of)
                    if task.exception() is not None:
                        raise task.exception()
                    if then is not None:
                        then(task.result())
        self._refresh()

    def _show(self, ns):
        """Let the clocks of nodes show a time."""
        for node in self.get_nodes():
            clock = node.get_clock()
            if node is not self._own and clock.clock_type == ClockType.ROS_TIME:
                clock._set_ros_time_is_active(True)
                clock.set_ros_time_override(Time(nanoseconds=max(0, ns), clock_type=ClockType.ROS_TIME))

    # What rclpy's executor does with what is ready: it is held until its place in the order.

    def _take_subscription(self, sub):
        with sub.handle:
            took = sub.handle.take_message(sub.msg_type, True)
        return took and took[0]

    async def _execute_subscription(self, sub, data):
        if not data:
            return
        if sub is self._listener:
            self._member.receive(deserialize_message(data, String).data)
        elif sub in self._numbers:
            self._member.arrived(self._numbers[sub], sum_of(data), data)

    async def _execute_service(self, srv, request_and_header):
        if srv not in self._numbers:
            await super()._execute_service(srv, request_and_header)
        elif request_and_header is not None and request_and_header[0] is not None:
            self._member.arrived(self._numbers[srv], sum_of(serialize_message(request_and_header[0])), request_and_header)

    async def _execute_client(self, client, header_and_response):
        if header_and_response[0] is not None and client in self._numbers:
            self._member.arrived(self._numbers[client], sum_of(serialize_message(header_and_response[1])), header_and_response)

    async def _execute_timer(self, tmr, _):
        """Timers of the ROS clock run by the leader's time; what runs by the machine's is out of the order."""
        if tmr not in self._numbers:
            await super()._execute_timer(tmr, _)
