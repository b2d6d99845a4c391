# SPDX-License-Identifier: Apache-2.0
"""OpenCV's calibration of the pictures in a folder: python3 opencv.py FOLDER MODEL COLS ROWS SQUARE -> JSON."""
import glob
import json
import sys
import time

import cv2
import numpy as np

folder, model, cols, rows, square = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
grid = np.zeros((rows * cols, 3), np.float64)
grid[:, :2] = np.mgrid[0:cols, 0:rows].T.reshape(-1, 2) * square
objects, corners, names, size = [], [], [], None
for name in sorted(glob.glob(folder + "/*.pgm")):
    picture = cv2.imread(name, cv2.IMREAD_GRAYSCALE)
    size = picture.shape[::-1]
    ok, found = cv2.findChessboardCorners(
        picture, (cols, rows), flags=cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE)
    if not ok:
        continue
    # The window is half the least distance of corners, as cameracalibrator has it.
    flat = found.reshape(-1, 2)
    least = min(np.linalg.norm(flat[i] - flat[j]) for i in range(len(flat)) for j in range(i))
    radius = max(1, int(np.ceil(least * 0.5)))
    found = cv2.cornerSubPix(picture, found, (radius, radius), (-1, -1), (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.1))
    objects.append(grid)
    corners.append(found.astype(np.float64))
    names.append(name)
begin = time.time()
if model == "equidistant":
    k, d = np.zeros((3, 3)), np.zeros((4, 1))
    rms, k, d, _, _ = cv2.fisheye.calibrate(
        [o.reshape(1, -1, 3) for o in objects], [c.reshape(1, -1, 2) for c in corners], size, k, d,
        flags=cv2.fisheye.CALIB_RECOMPUTE_EXTRINSIC | cv2.fisheye.CALIB_FIX_SKEW)
else:
    flags = cv2.CALIB_FIX_K3 if model == "plumb_bob" else cv2.CALIB_RATIONAL_MODEL
    rms, k, d, _, _ = cv2.calibrateCamera(
        [o.astype(np.float32) for o in objects], [c.astype(np.float32) for c in corners], size, None, None, flags=flags)
seconds = time.time() - begin
p = []
if model != "equidistant":
    best, _ = cv2.getOptimalNewCameraMatrix(k, d, size, 0)
    p = best.flatten().tolist()
print(json.dumps({
    "rms": rms, "k": k.flatten().tolist(), "d": d.flatten().tolist(), "p": p, "seconds": seconds,
    "corners": {n: c.reshape(-1, 2).tolist() for n, c in zip(names, corners)}}))
