# SPDX-License-Identifier: Apache-2.0
"""The driver on this robot, or on a simulated one, and nodes that are often used with it.

    ros2 launch epuck_driver robot.launch.py
    ros2 launch epuck_driver robot.launch.py namespace:=robot1 frame_prefix:=robot1/ transport:=rclgo
    ros2 launch epuck_driver robot.launch.py simulated:=true world:=maze rviz:=true
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, EmitEvent, IncludeLaunchDescription, OpaqueFunction, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('epuck_driver')

ARGUMENTS = [
    ('namespace', '', 'namespace of the node and its topics'),
    ('params_file', os.path.join(SHARE, 'config', 'params.yaml'), 'parameters of the driver'),
    ('transport', 'rtps', 'rtps, or rclgo for the middleware of this ROS 2 (RMW_IMPLEMENTATION)'),
    ('frame_prefix', '', 'put before the names of all frames: robot1/'),
    ('log_level', 'info', 'debug, info, warn or error'),
    ('simulated', 'false', 'a simulated robot instead of the real one'),
    ('world', 'arena', 'with simulated: a world file, or the name of one of the program\'s own'),
    ('seed', '1', 'with simulated: the seed of all noise'),
    ('use_sim_time', 'false', 'take the time from /clock'),
    ('wheels', 'false', 'start robot_state_publisher, for the transforms of the turning wheels'),
    ('twist_mux', 'false', 'start twist_mux: cmd_vel_teleop goes before cmd_vel_auto'),
    ('joy', 'false', 'drive with a gamepad: joy and teleop_twist_joy'),
    ('diagnostics', 'false', 'start diagnostic_aggregator: /diagnostics in groups'),
    ('relative_tf', 'false', 'transforms are on tf in the namespace, not on /tf'),
    ('rviz', 'false', 'start RViz'),
]


def on(context, name):
    """Return whether an argument is true."""
    return LaunchConfiguration(name).perform(context).lower() in ('true', '1', 'yes')


def transforms(context):
    """Return where transforms go."""
    return [('/tf', 'tf'), ('/tf_static', 'tf_static')] if on(context, 'relative_tf') else []


def driver(context):
    """Return the driver's node, in whose arguments a simulated robot makes a difference."""
    def value(name):
        return LaunchConfiguration(name).perform(context)

    command = ['run']
    if on(context, 'simulated'):
        command = ['sim', '--world', value('world'), '--seed', value('seed')]
    node = Node(
        package='epuck_driver', executable='epuck-driver', name='epuck_driver', namespace=value('namespace'),
        arguments=command + ['--transport', value('transport')],
        parameters=[value('params_file'), {
            'frame_prefix': value('frame_prefix'),
            'use_sim_time': value('use_sim_time').lower() == 'true',
        }],
        ros_arguments=['--log-level', value('log_level')], remappings=transforms(context),
        output='screen', emulate_tty=False,
    )
    # Without the driver the rest is of no use.
    ended = RegisterEventHandler(OnProcessExit(
        target_action=node, on_exit=[EmitEvent(event=Shutdown(reason='the driver has ended'))]))
    return [node, ended]


def optional_nodes(context):
    """Return the nodes that are started with the driver, if requested."""
    def node(package, executable, parameters, remappings=(), **more):
        return Node(package=package, executable=executable, namespace=LaunchConfiguration('namespace'),
                    parameters=parameters + [{'use_sim_time': on(context, 'use_sim_time')}],
                    remappings=list(remappings), **more)

    def config(name):
        return [os.path.join(SHARE, 'config', name)]

    def value(name):
        return LaunchConfiguration(name).perform(context)

    out = []
    if on(context, 'wheels'):
        with open(os.path.join(SHARE, 'urdf', 'epuck.urdf'), encoding='utf-8') as f:
            description = {'robot_description': f.read(), 'frame_prefix': value('frame_prefix')}
        # The driver has a topic robot_description of its own.
        out.append(node('robot_state_publisher', 'robot_state_publisher', [description], transforms(context) + [
            ('robot_description', 'robot_state_publisher/robot_description')]))
    if on(context, 'twist_mux'):
        out.append(node('twist_mux', 'twist_mux', config('twist_mux.yaml'), [('cmd_vel_out', 'cmd_vel')]))
    if on(context, 'joy'):
        commands = 'cmd_vel_teleop' if on(context, 'twist_mux') else 'cmd_vel'
        out.append(node('joy', 'joy_node', config('joy.yaml'), name='joy_node'))
        out.append(node('teleop_twist_joy', 'teleop_node', config('joy.yaml'), [('cmd_vel', commands)],
                        name='teleop_twist_joy_node'))
    if on(context, 'diagnostics'):
        out.append(node('diagnostic_aggregator', 'aggregator_node', config('diagnostics.yaml'), name='analyzers'))
    if on(context, 'rviz'):
        frame = {'fixed_frame': value('frame_prefix') + 'odom'} if value('frame_prefix') else {}
        out.append(IncludeLaunchDescription(
            PythonLaunchDescriptionSource(os.path.join(SHARE, 'launch', 'rviz.launch.py')),
            launch_arguments=dict(frame, **{
                name: value(name) for name in ('namespace', 'use_sim_time', 'relative_tf')}).items()))
    return out


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=driver), OpaqueFunction(function=optional_nodes)])
