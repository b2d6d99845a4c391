# SPDX-License-Identifier: Apache-2.0
"""RViz with one of the configurations here, whose topics follow the namespace.

    ros2 launch epuck_driver rviz.launch.py                     # robot: its sensors
    ros2 launch epuck_driver rviz.launch.py config:=navigation  # or mapping, or robots: three of them at once
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

FOLDER = os.path.join(get_package_share_directory('epuck_driver'), 'rviz')
ARGUMENTS = [
    ('namespace', '', 'namespace of the robot; robots shows those of epuck1 to epuck3'),
    ('config', 'robot', 'robot, mapping, navigation, robots, or a file'),
    ('fixed_frame', '', 'frame in which all is shown, instead of the configuration\'s: epuck1/odom'),
    ('relative_tf', 'false', 'transforms are on tf in the namespace, not on /tf'),
    ('use_sim_time', 'false', 'the time is that of /clock'),
]
# The topics of one robot that the configurations show.
SHOWN = [
    'robot_description', 'scan', 'odom', 'image_raw', 'tof', 'ps0', 'ps1', 'ps2', 'ps3', 'ps4', 'ps5', 'ps6', 'ps7',
    'map', 'plan', 'amcl_pose', 'local_costmap/costmap', 'global_costmap/costmap', 'local_costmap/published_footprint',
]


def start(context):
    """Return RViz."""
    args = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    config = args['config'] if os.path.isabs(args['config']) else os.path.join(FOLDER, args['config'] + '.rviz')
    if not os.path.exists(config):
        raise RuntimeError('config:=%s: there is no file %s' % (args['config'], config))
    moved = [('/' + topic, topic) for topic in SHOWN] + [('/map_updates', 'map_updates')]
    if args['relative_tf'].lower() == 'true':
        moved += [('/tf', 'tf'), ('/tf_static', 'tf_static')]
    frame = ['-f', args['fixed_frame']] if args['fixed_frame'] else []
    return [Node(package='rviz2', executable='rviz2', namespace=args['namespace'], arguments=['-d', config] + frame,
                 parameters=[{'use_sim_time': args['use_sim_time'].lower() == 'true'}], remappings=moved)]


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=start)])
