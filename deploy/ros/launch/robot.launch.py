# SPDX-License-Identifier: Apache-2.0
"""The driver on this robot, or on a simulated one, and what is often wanted beside it.

    ros2 launch epuck_driver robot.launch.py
    ros2 launch epuck_driver robot.launch.py namespace:=robot1 frame_prefix:=robot1/ transport:=rclgo
    ros2 launch epuck_driver robot.launch.py simulated:=true world:=maze rviz:=true
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, EmitEvent, OpaqueFunction, RegisterEventHandler
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
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
    ('twist_mux', 'false', 'start twist_mux: cmd_vel_teleop goes before cmd_vel_nav'),
    ('rviz', 'false', 'start RViz'),
]

# The topics that the RViz configuration shows, which follow the namespace.
SHOWN = ['robot_description', 'scan', 'odom', 'image_raw', 'tof'] + ['ps%d' % i for i in range(8)]


def driver(context):
    """Return the driver's node, in whose arguments a simulated robot makes a difference."""
    def value(name):
        return LaunchConfiguration(name).perform(context)

    command = ['run']
    if value('simulated').lower() in ('true', '1', 'yes'):
        command = ['sim', '--world', value('world'), '--seed', value('seed')]
    node = Node(
        package='epuck_driver', executable='epuck-driver', name='epuck_driver', namespace=value('namespace'),
        arguments=command + ['--transport', value('transport')],
        parameters=[value('params_file'), {
            'frame_prefix': value('frame_prefix'),
            'use_sim_time': value('use_sim_time').lower() == 'true',
        }],
        ros_arguments=['--log-level', value('log_level')],
        output='screen', emulate_tty=False,
    )
    # Without the driver the rest is of no use.
    ended = RegisterEventHandler(OnProcessExit(
        target_action=node, on_exit=[EmitEvent(event=Shutdown(reason='the driver has ended'))]))
    return [node, ended]


def beside():
    """Return the nodes that are started beside the driver, if they are wanted."""
    with open(os.path.join(SHARE, 'urdf', 'epuck.urdf'), encoding='utf-8') as f:
        description = f.read()
    namespace = LaunchConfiguration('namespace')
    use_sim_time = {'use_sim_time': LaunchConfiguration('use_sim_time')}
    return [
        Node(
            package='robot_state_publisher', executable='robot_state_publisher', namespace=namespace,
            parameters=[{'robot_description': description, 'frame_prefix': LaunchConfiguration('frame_prefix')}, use_sim_time],
            remappings=[('robot_description', 'robot_state_publisher/robot_description')],  # the driver has its own
            condition=IfCondition(LaunchConfiguration('wheels')),
        ),
        Node(
            package='twist_mux', executable='twist_mux', namespace=namespace,
            parameters=[os.path.join(SHARE, 'config', 'twist_mux.yaml'), use_sim_time],
            remappings=[('cmd_vel_out', 'cmd_vel')],
            condition=IfCondition(LaunchConfiguration('twist_mux')),
        ),
        Node(
            package='rviz2', executable='rviz2', namespace=namespace,
            arguments=['-d', os.path.join(SHARE, 'rviz', 'robot.rviz')],
            parameters=[use_sim_time],
            remappings=[('/' + topic, topic) for topic in SHOWN],
            condition=IfCondition(LaunchConfiguration('rviz')),
        ),
    ]


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=driver)] + beside())
