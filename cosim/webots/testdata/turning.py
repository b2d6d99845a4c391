# SPDX-License-Identifier: Apache-2.0
# The same as turning.c.
from controller import Robot

STEP = 64
robot = Robot()
print(robot.getName(), robot.getNumberOfDevices(), f"{robot.getBasicTimeStep():.0f}", flush=True)
get = robot.getDevice
left, right, angle = get("left wheel motor"), get("right wheel motor"), get("left wheel sensor")
near, light, far, ground = get("ps0"), get("ls0"), get("tof"), get("gs1")
acceleration, rate, camera = get("accelerometer"), get("gyro"), get("camera")
mouth, ears = get("emitter"), get("receiver")
for sensor in (angle, near, light, far, ground, acceleration, rate, camera, ears):
    sensor.enable(STEP)
robot.batterySensorEnable(STEP)
for motor, speed in ((left, 2), (right, -2)):
    motor.setPosition(float("inf"))
    motor.setVelocity(speed)
get("led0").set(1)
get("led1").set(0xFF8000)
print(f"{left.getMaxVelocity():.2f} {left.getVelocity():.4f} {near.getMaxValue():.0f} {len(near.getLookupTable()) // 3}",
      f"{camera.getWidth()}x{camera.getHeight()}", flush=True)
for i in range(20):
    mouth.send((f"{robot.getName()} {i}\0").encode())
    if robot.step(STEP) == -1:
        break
    total = 0
    for byte in bytes(camera.getImage()):
        total = (total * 31 + byte) & 0xFFFFFFFF
    print(f"{robot.getTime():.3f} {angle.getValue():.4f} {near.getValue():.1f} {light.getValue():.1f} {far.getValue():.1f}",
          f"{ground.getValue():.1f} {acceleration.getValues()[2]:.3f} {rate.getValues()[2]:.1f}",
          f"{robot.batterySensorGetValue():.1f} {total}", flush=True)
    while ears.getQueueLength() > 0:
        d = ears.getEmitterDirection()
        print("heard", ears.getString().rstrip("\0"), f"{d[0]:.3f} {d[1]:.3f} {ears.getSignalStrength():.2f}", flush=True)
        ears.nextPacket()
left.setVelocity(3)
while robot.step(STEP) != -1:
    pass
