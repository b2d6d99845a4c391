# SPDX-License-Identifier: Apache-2.0
"""Mapping with slam_toolbox and driving with Nav2, for a robot whose driver runs already.

    ros2 launch epuck_driver navigation.launch.py

Wants the packages nav2_bringup and slam_toolbox.
"""

import os
import tempfile

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('epuck_driver')
ARGUMENTS = [
    ('namespace', '', 'namespace of the robot'),
    ('use_sim_time', 'false', 'take the time from /clock'),
    ('slam', 'true', 'make a map; without, something else gives map and its transform'),
    ('nav2_params', os.path.join(SHARE, 'config', 'nav2.yaml'), 'parameters of Nav2'),
    ('slam_params', os.path.join(SHARE, 'config', 'slam_toolbox.yaml'), 'parameters of slam_toolbox'),
]


def humble(parameters):
    """Write plugins as Humble and Iron want them: package/Class where later releases want package::Class."""
    old = ('nav2_navfn_planner::', 'nav2_behaviors::')
    if isinstance(parameters, dict):
        return {key: humble(value) for key, value in parameters.items()}
    if isinstance(parameters, str) and parameters.startswith(old):
        return parameters.replace('::', '/')
    return parameters


def nav2(context):
    """Return Nav2 with its parameters in the words of this release."""
    def value(name):
        return LaunchConfiguration(name).perform(context)

    path = value('nav2_params')
    if os.environ.get('ROS_DISTRO') in ('humble', 'iron'):
        with open(path, encoding='utf-8') as f:
            parameters = humble(yaml.safe_load(f))
        with tempfile.NamedTemporaryFile('w', prefix='nav2_', suffix='.yaml', delete=False, encoding='utf-8') as f:
            yaml.safe_dump(parameters, f)
        path = f.name
    bringup = os.path.join(get_package_share_directory('nav2_bringup'), 'launch', 'navigation_launch.py')
    return [IncludeLaunchDescription(PythonLaunchDescriptionSource(bringup), launch_arguments={
        'namespace': value('namespace'), 'use_sim_time': value('use_sim_time'), 'params_file': path,
    }.items())]


def slam(context):
    """Return slam_toolbox if a map shall be made."""
    if LaunchConfiguration('slam').perform(context).lower() != 'true':
        return []
    return [Node(
        package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
        namespace=LaunchConfiguration('namespace'), output='screen',
        parameters=[LaunchConfiguration('slam_params'), {'use_sim_time': LaunchConfiguration('use_sim_time')}],
        remappings=[('/scan', 'scan'), ('/map', 'map'), ('/map_metadata', 'map_metadata')],
    )]


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=slam), OpaqueFunction(function=nav2)])
