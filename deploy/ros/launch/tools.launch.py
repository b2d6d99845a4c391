# SPDX-License-Identifier: Apache-2.0
"""RViz, a map and navigation for a robot that runs already, by the arguments of webots_ros2_epuck's robot_tools_launch.

    ros2 launch epuck_driver tools.launch.py mapper:=true
    ros2 launch epuck_driver tools.launch.py nav:=true map:=$PWD/kitchen.yaml
    ros2 launch epuck_driver tools.launch.py nav:=true mapper:=true use_sim_time:=true

nav alone, without a map and a mapper, has slam_toolbox make the map.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

FOLDER = os.path.join(get_package_share_directory('epuck_driver'), 'launch')
ARGUMENTS = [
    ('rviz', 'true', 'start RViz'),
    ('nav', 'false', 'start Nav2'),
    ('mapper', 'false', 'make a map with epuck-driver map'),
    ('fill_map', 'true', 'with mapper: the map shows free space, too; false: obstacles only'),
    ('map', '', 'with nav: file of a map, as map_server reads it'),
    ('use_sim_time', 'false', 'the time is that of /clock'),
    ('namespace', '', 'namespace of the robot'),
    ('frame_prefix', '', 'prefix of the names of the robot\'s frames: epuck1/'),
    ('relative_tf', 'false', 'transforms are on tf in the namespace, not on /tf'),
    ('params_file', '', 'with nav: parameters of Nav2 that are read after those here'),
]


def start(context):
    """Return what was asked for."""
    args = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    on = {name: args[name].lower() in ('true', '1') for name in ('rviz', 'nav', 'mapper', 'fill_map', 'relative_tf')}
    if on['mapper'] and args['map']:
        raise RuntimeError('mapper:=true and map:=%s: either a map is made or one is read' % args['map'])
    out = []
    if on['mapper']:
        out.append(Node(
            package='epuck_driver', executable='epuck-driver', name='map', namespace=args['namespace'], output='screen',
            arguments=['map', '--base-frame', args['frame_prefix'] + 'base_link'] + ([] if on['fill_map'] else ['--no-free']),
            parameters=[{'use_sim_time': args['use_sim_time'].lower() == 'true'}],
            remappings=[('/tf', 'tf'), ('/tf_static', 'tf_static')] if on['relative_tf'] else []))
    shared = {name: args[name] for name in ('namespace', 'use_sim_time', 'relative_tf')}
    if on['nav']:
        out.append(include('navigation', dict(
            shared, frame_prefix=args['frame_prefix'], map=args['map'], params_file=args['params_file'],
            slam='none' if on['mapper'] else 'slam_toolbox')))
    if on['rviz']:
        config = 'navigation' if on['nav'] else 'mapping' if on['mapper'] else 'robot'
        odom = {'fixed_frame': args['frame_prefix'] + 'odom'} if config == 'robot' and args['frame_prefix'] else {}
        out.append(include('rviz', dict(shared, config=config, **odom)))
    return out


def include(name, arguments):
    """Return another launch file of this package."""
    source = PythonLaunchDescriptionSource(os.path.join(FOLDER, name + '.launch.py'))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=start)])
