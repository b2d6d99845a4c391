/* SPDX-License-Identifier: Apache-2.0
 * A controller for Webots that knows no robot: it finds the devices by their numbers, switches all sensors on, turns
 * motors whose names begin with "left" the other way than those with "right", and prints what it reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <webots/accelerometer.h>
#include <webots/camera.h>
#include <webots/compass.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gps.h>
#include <webots/gyro.h>
#include <webots/inertial_unit.h>
#include <webots/led.h>
#include <webots/lidar.h>
#include <webots/light_sensor.h>
#include <webots/motor.h>
#include <webots/nodes.h>
#include <webots/position_sensor.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>

#define STEP 32
#define MOST 64

static void vector(const double *v, int n) {
  for (int i = 0; i < n; i++)
    printf(" %.4f", v[i]);
}

static void start(WbDeviceTag d) {
  const char *name = wb_device_get_name(d);
  switch (wb_device_get_node_type(d)) {
    case WB_NODE_LINEAR_MOTOR:
      wb_motor_set_position(d, wb_motor_get_max_position(d));
      break;
    case WB_NODE_ROTATIONAL_MOTOR:
      if (strstr(name, "left") || strstr(name, "right")) {
        wb_motor_set_position(d, INFINITY);
        wb_motor_set_velocity(d, strstr(name, "left") ? 3 : -2);
      }
      printf(" at most %.2f, sensor %d", wb_motor_get_max_velocity(d), wb_motor_get_position_sensor(d) != 0);
      break;
    case WB_NODE_POSITION_SENSOR: wb_position_sensor_enable(d, STEP); break;
    case WB_NODE_DISTANCE_SENSOR:
      wb_distance_sensor_enable(d, STEP);
      printf(" type %d, %d rows, %.2f to %.2f", wb_distance_sensor_get_type(d), wb_distance_sensor_get_lookup_table_size(d),
             wb_distance_sensor_get_min_value(d), wb_distance_sensor_get_max_value(d));
      break;
    case WB_NODE_LIGHT_SENSOR: wb_light_sensor_enable(d, STEP); break;
    case WB_NODE_ACCELEROMETER: wb_accelerometer_enable(d, STEP); break;
    case WB_NODE_GYRO: wb_gyro_enable(d, STEP); break;
    case WB_NODE_INERTIAL_UNIT: wb_inertial_unit_enable(d, STEP); break;
    case WB_NODE_COMPASS: wb_compass_enable(d, STEP); break;
    case WB_NODE_GPS: wb_gps_enable(d, STEP); break;
    case WB_NODE_TOUCH_SENSOR: wb_touch_sensor_enable(d, STEP); break;
    case WB_NODE_LED: wb_led_set(d, 1); break;
    case WB_NODE_RECEIVER: wb_receiver_enable(d, STEP); break;
    case WB_NODE_CAMERA:
      wb_camera_enable(d, STEP);
      printf(" %d x %d, %.3f rad", wb_camera_get_width(d), wb_camera_get_height(d), wb_camera_get_fov(d));
      break;
    case WB_NODE_LIDAR:
      wb_lidar_enable(d, STEP);
      wb_lidar_enable_point_cloud(d);
      printf(" %d x %d rays, %.3f rad, %.2f to %.2f m", wb_lidar_get_horizontal_resolution(d), wb_lidar_get_number_of_layers(d),
             wb_lidar_get_fov(d), wb_lidar_get_min_range(d), wb_lidar_get_max_range(d));
      break;
    default: break;
  }
}

static void tell(WbDeviceTag d, int step) {
  unsigned sum = 0;
  printf("%.3f %s:", wb_robot_get_time(), wb_device_get_name(d));
  switch (wb_device_get_node_type(d)) {
    case WB_NODE_POSITION_SENSOR: printf(" %.4f", wb_position_sensor_get_value(d)); break;
    case WB_NODE_DISTANCE_SENSOR: printf(" %.4f", wb_distance_sensor_get_value(d)); break;
    case WB_NODE_LIGHT_SENSOR: printf(" %.2f", wb_light_sensor_get_value(d)); break;
    case WB_NODE_ACCELEROMETER: vector(wb_accelerometer_get_values(d), 3); break;
    case WB_NODE_GYRO: vector(wb_gyro_get_values(d), 3); break;
    case WB_NODE_INERTIAL_UNIT: vector(wb_inertial_unit_get_roll_pitch_yaw(d), 3); break;
    case WB_NODE_COMPASS: vector(wb_compass_get_values(d), 3); break;
    case WB_NODE_GPS:
      vector(wb_gps_get_values(d), 3);
      vector(wb_gps_get_speed_vector(d), 3);
      printf(" %.4f", wb_gps_get_speed(d));
      break;
    case WB_NODE_TOUCH_SENSOR: printf(" %.0f", wb_touch_sensor_get_value(d)); break;
    case WB_NODE_CAMERA: {
      const unsigned char *p = wb_camera_get_image(d);
      for (int k = 0; k < 4 * wb_camera_get_width(d) * wb_camera_get_height(d); k++)
        sum = sum * 31 + p[k];
      printf(" %u", sum);
      break;
    }
    case WB_NODE_LIDAR: {
      const int n = wb_lidar_get_number_of_points(d), middle = wb_lidar_get_horizontal_resolution(d) / 2;
      const WbLidarPoint *points = wb_lidar_get_point_cloud(d);
      for (int k = 0; k < n; k++)
        if (isfinite(points[k].x) && isfinite(points[k].y))
          sum = sum * 31 + (int)(1000 * points[k].x) + (int)(1000 * points[k].y) + points[k].layer_id;
      printf(" %.3f %.3f %.3f %u", wb_lidar_get_range_image(d)[0], wb_lidar_get_range_image(d)[middle], points[middle].x, sum);
      break;
    }
    case WB_NODE_EMITTER: {
      char text[32];
      snprintf(text, sizeof text, "%s %d", wb_robot_get_name(), step);
      printf(" %d", wb_emitter_send(d, text, strlen(text) + 1));
      break;
    }
    case WB_NODE_RECEIVER:
      for (; wb_receiver_get_queue_length(d) > 0; wb_receiver_next_packet(d))
        printf(" heard %s %.3f", (const char *)wb_receiver_get_data(d), wb_receiver_get_signal_strength(d));
      break;
    default: break;
  }
  printf("\n");
}

int main(void) {
  wb_robot_init();
  int n = wb_robot_get_number_of_devices();
  printf("%s, a %s: %d devices\n", wb_robot_get_name(), wb_robot_get_model(), n);
  wb_robot_battery_sensor_enable(STEP);
  for (int i = 0; i < n && i < MOST; i++) {
    WbDeviceTag d = wb_robot_get_device_by_index(i);
    printf("%d %s: node %d,", i, wb_device_get_name(d), wb_device_get_node_type(d));
    start(d);
    printf("\n");
  }
  for (int step = 0; step < 30 && wb_robot_step(STEP) != -1; step++)
    for (int i = 0; i < n && i < MOST; i++)
      tell(wb_robot_get_device_by_index(i), step);
  printf("%.0f J\n", wb_robot_battery_sensor_get_value());
  fflush(stdout);
  while (wb_robot_step(STEP) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
