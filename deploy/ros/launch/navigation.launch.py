# SPDX-License-Identifier: Apache-2.0
"""Nav2 for a robot whose driver runs already, with a map or while one is made.

    ros2 launch epuck_driver navigation.launch.py                      # slam_toolbox makes the map
    ros2 launch epuck_driver navigation.launch.py map:=kitchen.yaml    # AMCL finds the robot in it
    ros2 launch epuck_driver navigation.launch.py namespace:=epuck1 frame_prefix:=epuck1/ map:=kitchen.yaml x:=0.2

It starts only those of Nav2's servers that it needs, so that it is the same from Humble to Lyrical. Wants the packages
navigation2 and, without a map, slam_toolbox.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('epuck_driver')
ARGUMENTS = [
    ('namespace', '', 'namespace of the robot'),
    ('frame_prefix', '', 'prefix of the names of the robot\'s frames: epuck1/'),
    ('map_frame', 'map', 'frame of the map; robots that make maps of their own want one each'),
    ('relative_tf', 'false', 'transforms are on tf in the namespace, not on /tf'),
    ('use_sim_time', 'false', 'the time is that of /clock'),
    ('map', '', 'file of a map, as map_server reads it; without one, a map is made'),
    ('x', '0.0', 'with a map: where odometry begins in it, m'),
    ('y', '0.0', 'the same, m'),
    ('yaw', '0.0', 'the same, rad'),
    ('localization', 'amcl', 'with a map: amcl, or odometry, which is kept to'),
    ('slam', 'slam_toolbox', 'without a map: slam_toolbox, cones (epuck-driver map), or none: others give map and its transform'),
    ('stamped', 'false', 'cmd_vel is a TwistStamped, like the driver\'s parameter cmd_vel_stamped; not on Humble'),
    ('cmd_vel', 'cmd_vel', 'topic of the commands; cmd_vel_auto where robot.launch.py runs with twist_mux:=true'),
    ('params_file', '', 'parameters of Nav2 that are read after those here'),
    ('slam_params', os.path.join(SHARE, 'config', 'slam_toolbox.yaml'), 'parameters of slam_toolbox'),
    ('log_level', 'info', 'debug, info, warn or error'),
]
# The servers, in the order in which they are brought up.
SERVERS = [
    ('nav2_controller', 'controller_server'), ('nav2_planner', 'planner_server'), ('nav2_behaviors', 'behavior_server'),
    ('nav2_bt_navigator', 'bt_navigator'), ('nav2_waypoint_follower', 'waypoint_follower'),
    ('nav2_velocity_smoother', 'velocity_smoother'), ('nav2_collision_monitor', 'collision_monitor'),
]
RELEASES = {'humble': 'humble', 'iron': 'humble', 'jazzy': 'jazzy', 'kilted': 'kilted'}  # all others are newer


def frames(prefix, map_frame, release):
    """Return the parameters that name frames, by node."""
    odom, base = prefix + 'odom', prefix + 'base_link'
    behaviors = {'robot_base_frame': base, 'local_frame': odom, 'global_frame': map_frame}
    if release == 'humble':
        behaviors['global_frame'] = odom  # it has no local_frame
    return {
        'bt_navigator': {'robot_base_frame': base, 'global_frame': map_frame},
        'behavior_server': behaviors,
        'waypoint_follower': {'global_frame_id': map_frame},
        'controller_server': {'robot_base_frame': base, 'global_frame': odom},  # those of local_costmap
        'planner_server': {'robot_base_frame': base, 'global_frame': map_frame},  # those of global_costmap
        'collision_monitor': {'base_frame_id': base, 'odom_frame_id': odom},
        'amcl': {'base_frame_id': base, 'odom_frame_id': odom, 'global_frame_id': map_frame},
        'map_server': {'frame_id': map_frame},
        'slam_toolbox': {'base_frame': base, 'odom_frame': odom, 'map_frame': map_frame},
    }


def start(context):
    """Return the nodes."""
    args = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    for name, known in (('localization', ('amcl', 'odometry')), ('slam', ('slam_toolbox', 'cones', 'none'))):
        if args[name] not in known:
            raise RuntimeError('%s:=%s: there are %s' % (name, args[name], ', '.join(known)))
    release = RELEASES.get(os.environ.get('ROS_DISTRO', ''), 'lyrical')
    stamped = args['stamped'].lower() == 'true'
    if stamped and release == 'humble':
        raise RuntimeError('stamped:=true: the Nav2 of Humble sends no TwistStamped')
    time = {'use_sim_time': args['use_sim_time'].lower() == 'true'}
    files = [os.path.join(SHARE, 'config', 'nav2.yaml'), os.path.join(SHARE, 'config', 'nav2_%s.yaml' % release)]
    files += [args['params_file']] if args['params_file'] else []
    common = {'namespace': args['namespace'], 'output': 'screen'}
    logs = ['--ros-args', '--log-level', args['log_level']]
    moved = [('/tf', 'tf'), ('/tf_static', 'tf_static')] if args['relative_tf'].lower() == 'true' else []
    frame = frames(args['frame_prefix'], args['map_frame'], release)
    # Costmaps are nodes of their own below the namespace: on Humble and Jazzy scan would be local_costmap/scan.
    drawn = not args['map'] and args['slam'] == 'slam_toolbox'  # a map with specks where nothing is
    layers = {'obstacle_layer.scan.topic': '/'.join(['', args['namespace'].strip('/'), 'scan']).replace('//', '/'),
              'denoise_layer.enabled': drawn}
    # Its map ends where it has seen something; goals may be farther out.
    beyond = {'rolling_window': True, 'width': 3, 'height': 3} if drawn else {}
    own = {
        'controller_server': layers,
        'planner_server': dict(layers, **beyond),
        'bt_navigator': {'default_nav_to_pose_bt_xml': os.path.join(SHARE, 'behavior_trees', 'navigate_to_pose.xml')},
        'collision_monitor': {'cmd_vel_out_topic': args['cmd_vel']},
        'amcl': {'initial_pose.' + k: float(args[k]) for k in ('x', 'y', 'yaw')},
        'map_server': {'yaml_filename': args['map'], 'topic_name': 'map'},
        'slam_toolbox': {'use_lifecycle_manager': release != 'humble'},
    }

    def node(package, name, parameters, executable='', remappings=()):
        # The two with a costmap get no name: with one, launch_ros keeps these parameters from their costmaps.
        named = {} if name in ('controller_server', 'planner_server') else {'name': name}
        return Node(package=package, executable=executable or name, arguments=logs,
                    parameters=parameters + [dict(frame.get(name, {}), **own.get(name, {}), **time)],
                    remappings=moved + list(remappings), **named, **common)

    def server(package, name):
        commands = [('cmd_vel', 'cmd_vel_nav')] if name != 'collision_monitor' else []
        parameters = files + ([{'enable_stamped_cmd_vel': stamped}] if release != 'humble' else [])
        return node(package, name, parameters, remappings=commands)

    def manager(name, managed):
        return Node(package='nav2_lifecycle_manager', executable='lifecycle_manager', name='lifecycle_manager_' + name,
                    arguments=logs, parameters=[{'autostart': True, 'node_names': managed, 'bond_timeout': 20.0}, time],
                    **common)

    nodes, managed = [], []
    if args['map']:
        nodes, managed = [node('nav2_map_server', 'map_server', files)], ['map_server']
        if args['localization'] == 'amcl':
            nodes.append(node('nav2_amcl', 'amcl', files))
            managed.append('amcl')
        else:
            nodes.append(still(args, time, moved, common))
    elif drawn:
        nodes.append(node('slam_toolbox', 'slam_toolbox', [args['slam_params']], 'async_slam_toolbox_node',
                          [('/scan', 'scan'), ('/map', 'map'), ('/map_metadata', 'map_metadata')]))
        managed = [] if release == 'humble' else ['slam_toolbox']  # from Jazzy on it waits to be activated
    elif args['slam'] == 'cones':
        nodes.append(Node(
            package='epuck_driver', executable='epuck-driver', name='map', parameters=[time], remappings=moved,
            arguments=['map', '--map-frame', args['map_frame'], '--base-frame', args['frame_prefix'] + 'base_link'],
            **common))
    nodes += [manager('localization', managed)] if managed else []
    nodes += [server(package, name) for package, name in SERVERS]
    return nodes + [manager('navigation', [name for _, name in SERVERS])]


def still(args, time, moved, common):
    """Return the transform that says: the robot is where its odometry says."""
    return Node(package='tf2_ros', executable='static_transform_publisher', name='map_to_odom', parameters=[time],
                arguments=['--x', args['x'], '--y', args['y'], '--yaw', args['yaw'], '--frame-id', args['map_frame'],
                           '--child-frame-id', args['frame_prefix'] + 'odom'], remappings=moved, **common)


def generate_launch_description():
    """Return what ros2 launch starts."""
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS]
    return LaunchDescription(arguments + [OpaqueFunction(function=start)])
