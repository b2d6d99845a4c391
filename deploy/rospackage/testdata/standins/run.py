# SPDX-License-Identifier: Apache-2.0
"""Do what a launch file says, without starting anything: run.py FILE NAME:=VALUE … prints the nodes as JSON.

As in ROS 2, arguments are strings, a default holds where nothing was given, and what is included sees and changes the
arguments of what includes it.
"""

import json
import sys

from launch import actions
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

NODE = {'package', 'executable', 'name', 'namespace', 'arguments', 'parameters', 'remappings', 'ros_arguments', 'output',
        'emulate_tty'}


def plain(value, context):
    """Return a value with its substitutions done."""
    if isinstance(value, LaunchConfiguration):
        return value.perform(context)
    if isinstance(value, dict):
        return {plain(k, context): plain(v, context) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, context) for v in value]
    if not isinstance(value, (str, bool, int, float)):
        raise TypeError('%r is nothing that a node can be given' % (value,))
    return value


def do(path, context, nodes):
    """Do what a file says."""
    module = {'__name__': 'launch_file', '__file__': path}
    with open(path, encoding='utf-8') as f:
        exec(compile(f.read(), path, 'exec'), module)
    each(module['generate_launch_description'](), context, nodes)


def each(todo, context, nodes):
    """Do one action after the other."""
    for action in todo or []:
        if isinstance(action, actions.DeclareLaunchArgument):
            context.setdefault(action.positional[0], action.named['default_value'])
        elif isinstance(action, actions.OpaqueFunction):
            each(action.named['function'](context), context, nodes)
        elif isinstance(action, actions.IncludeLaunchDescription):
            for name, value in dict(action.named['launch_arguments']).items():
                value = plain(value, context)
                if not isinstance(value, str):
                    raise TypeError('%s is included with %s=%r: arguments are strings' % (action.positional[0], name, value))
                context[name] = value
            do(action.positional[0], context, nodes)
        elif isinstance(action, Node):
            if set(action.named) - NODE or action.positional:
                raise TypeError('a node has no %s' % sorted(set(action.named) - NODE))
            nodes.append({k: plain(v, context) for k, v in action.named.items()})
        elif not isinstance(action, actions.RegisterEventHandler):
            raise TypeError('%r is no action' % (action,))


def main():
    """Do what the command line says."""
    nodes = []
    do(sys.argv[1], dict(a.split(':=', 1) for a in sys.argv[2:]), nodes)
    json.dump(nodes, sys.stdout, indent=1)


main()
