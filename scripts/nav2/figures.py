# SPDX-License-Identifier: Apache-2.0
"""Computes and draws the results of scripts/test-nav2.sh. TRUTH is written by `epuck-driver sim --truth`; lengths in m.

    figures.py pose X,Y[,YAW] X0 Y0 YAW0        a pose of the world as a geometry_msgs/Pose in a map with that origin
    figures.py off X,Y[,YAW] TRUTH              the robot's distance from there, cm, and its rotation, degrees
    figures.py track FILE TRUTH…                records the robots' positions until it is ended: time, then x y of each
    figures.py apart TRACK                      the minimum distance of two robots, centre to centre, cm
    figures.py deviation TRACK X,Y…             maximum and mean distance from the lines between positions, cm
    figures.py lethal COSTMAP X Y RADIUS        occupied cells of topic echo's OccupancyGrid near a position
    figures.py picture PNG MAP.yaml TRACK X0 Y0 YAW0 …    maps in a row, with the robots' paths
"""

import json
import math
import re
import struct
import sys
import time
import zlib

SCALE = 3  # pixels a cell
INK = [(255, 255, 255), (0, 0, 0), (205, 205, 205), (214, 39, 40), (31, 119, 180)]  # free, wall, unknown, robots


def place(text):
    """Return x, y and yaw, which may be missing: nan."""
    return ([float(v) for v in text.split(',')] + [math.nan])[:3]


def moved(x, y, x0, y0, yaw0):
    """Return a place of the world in the frame that begins at x0, y0, yaw0."""
    dx, dy, c, s = x - x0, y - y0, math.cos(yaw0), math.sin(yaw0)
    return c * dx + s * dy, c * dy - s * dx


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def pose(goal, *origin):
    x, y, yaw = place(goal)
    origin = [float(v) for v in origin]
    x, y = moved(x, y, *origin)
    half = 0.0 if math.isnan(yaw) else (yaw - origin[2]) / 2
    print('{position: {x: %.4f, y: %.4f}, orientation: {z: %.6f, w: %.6f}}' % (x, y, math.sin(half), math.cos(half)))


def off(goal, truth):
    (x, y, yaw), r = place(goal), json.loads(read(truth))
    turned = '' if math.isnan(yaw) else ' %.1f' % math.degrees(math.remainder(r['theta'] - yaw, 2 * math.pi))
    print('%.2f%s' % (100 * math.hypot(r['x'] - x, r['y'] - y), turned))


def track(path, *truths):
    with open(path, 'w', encoding='utf-8') as f:
        while True:
            records = [json.loads(read(t)) for t in truths]
            f.write(' '.join(['%.2f' % records[0]['age']] + ['%.4f %.4f' % (r['x'], r['y']) for r in records]) + '\n')
            f.flush()
            time.sleep(0.1)


def rows(path):
    """Return the complete lines of a track."""
    return [[float(v) for v in line.split()] for line in read(path).split('\n')[:-1]]


def apart(path):
    print('%.1f' % (100 * min(math.hypot(r[1] - r[3], r[2] - r[4]) for r in rows(path))))


def deviation(path, *goals):
    corners = [place(g)[:2] for g in goals]

    def from_line(p, a, b):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = dx * dx + dy * dy
        t = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) if length else 0.0
        return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)

    all_off = [100 * min(from_line(r[1:3], a, b) for a, b in zip(corners, corners[1:])) for r in rows(path)]
    print('%.1f %.2f' % (max(all_off), sum(all_off) / len(all_off)))


def lethal(path, x, y, radius):
    text = read(path).split('---')[0]
    cell, width = (float(re.search(k + r': (\S+)', text)[1]) for k in ('resolution', 'width'))
    ox, oy = (float(v) for v in re.search(r'origin:\s+position:\s+x: (\S+)\s+y: (\S+)', text).groups())
    cells = [int(v) for v in re.findall(r'^- (-?\d+)$', text[text.index('data:'):], re.M)]
    there = [(ox + (i % width + 0.5) * cell, oy + (i // width + 0.5) * cell) for i, v in enumerate(cells) if v == 100]
    print(sum(math.hypot(px - float(x), py - float(y)) <= float(radius) for px, py in there))


def drawn(map_file, track_file, *origin):
    """Return rows of indices into INK: the known part of a map, and where robots went in it."""
    text, origin = read(map_file), [float(v) for v in origin]
    cell = float(re.search(r'resolution: (\S+)', text)[1])
    ox, oy = (float(v) for v in re.search(r'origin: \[([^,]+), ([^,]+),', text).groups())
    name = re.search(r'image: (\S+)', text)[1].strip('"')
    with open(map_file.rpartition('/')[0] + '/' + name if '/' in map_file else name, 'rb') as f:
        data = f.read()
    head = re.match(rb'P5\s+(?:#.*\s+)?(\d+)\s+(\d+)\s+255\s', data)
    width, height = int(head[1]), int(head[2])
    data = data[head.end():]
    grey = {0: 1, 254: 0, 255: 0}
    image = [[grey.get(data[j * width + i], 2) for i in range(width) for _ in range(SCALE)]
             for j in range(height) for _ in range(SCALE)]
    for r in rows(track_file):
        for robot in range((len(r) - 1) // 2):
            x, y = moved(r[1 + 2 * robot], r[2 + 2 * robot], *origin)
            i, j = int((x - ox) / cell * SCALE), int(height * SCALE - (y - oy) / cell * SCALE)
            for dj in (0, 1):
                for di in (0, 1):
                    if 0 <= j + dj < height * SCALE and 0 <= i + di < width * SCALE:
                        image[j + dj][i + di] = 3 + robot
    known = [(j, i) for j, line in enumerate(image) for i, v in enumerate(line) if v != 2]
    top, left = (max(0, min(v) - SCALE) for v in zip(*known))
    bottom, right = (max(v) + 1 + SCALE for v in zip(*known))
    return [line[left:right] for line in image[top:bottom]]


def picture(path, *groups):
    images = [drawn(*groups[i:i + 5]) for i in range(0, len(groups), 5)]
    height = max(len(i) for i in images)
    lines = []
    for j in range(height):
        line = []
        for image in images:
            line += (image[j] if j < len(image) else [2] * len(image[0])) + [0] * SCALE
        lines.append(bytes([0] + line[:-SCALE]))

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    with open(path, 'wb') as f:
        f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', len(lines[0]) - 1, height, 8, 3, 0, 0, 0))
                + chunk(b'PLTE', bytes(v for ink in INK for v in ink))
                + chunk(b'IDAT', zlib.compress(b''.join(lines), 9)) + chunk(b'IEND', b''))


if __name__ == '__main__':
    COMMANDS = {f.__name__: f for f in (pose, off, track, apart, deviation, lethal, picture)}
    COMMANDS[sys.argv[1]](*sys.argv[2:])
