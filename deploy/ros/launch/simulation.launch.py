# SPDX-License-Identifier: Apache-2.0
"""A simulated robot with RViz: robot.launch.py with other defaults, and all of its arguments.

    ros2 launch epuck_driver simulation.launch.py world:=maze
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    """Return what ros2 launch starts."""
    robot = os.path.join(get_package_share_directory('epuck_driver'), 'launch', 'robot.launch.py')
    return LaunchDescription([
        DeclareLaunchArgument('world', default_value='arena', description='a world file, or the name of one of the program\'s own'),
        DeclareLaunchArgument('rviz', default_value='true', description='start RViz'),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(robot), launch_arguments={
            'simulated': 'true',
            'world': LaunchConfiguration('world'),
            'rviz': LaunchConfiguration('rviz'),
        }.items()),
    ])
