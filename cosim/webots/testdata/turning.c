/* SPDX-License-Identifier: Apache-2.0
 * A controller for Webots that turns its robot on the spot and prints what it reads. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <webots/accelerometer.h>
#include <webots/camera.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gyro.h>
#include <webots/led.h>
#include <webots/light_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/receiver.h>
#include <webots/robot.h>

#define STEP 64

static WbDeviceTag device(const char *name) { return wb_robot_get_device(name); }

int main(void) {
  wb_robot_init();
  printf("%s %d %.0f\n", wb_robot_get_name(), wb_robot_get_number_of_devices(), wb_robot_get_basic_time_step());
  WbDeviceTag left = device("left wheel motor"), right = device("right wheel motor"), angle = device("left wheel sensor");
  WbDeviceTag near = device("ps0"), light = device("ls0"), far = device("tof"), ground = device("gs1");
  WbDeviceTag acceleration = device("accelerometer"), rate = device("gyro"), camera = device("camera");
  WbDeviceTag mouth = device("emitter"), ears = device("receiver");
  wb_position_sensor_enable(angle, STEP);
  wb_distance_sensor_enable(near, STEP);
  wb_light_sensor_enable(light, STEP);
  wb_distance_sensor_enable(far, STEP);
  wb_distance_sensor_enable(ground, STEP);
  wb_accelerometer_enable(acceleration, STEP);
  wb_gyro_enable(rate, STEP);
  wb_camera_enable(camera, STEP);
  wb_receiver_enable(ears, STEP);
  wb_robot_battery_sensor_enable(STEP);
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  wb_motor_set_velocity(left, 2);
  wb_motor_set_velocity(right, -2);
  wb_led_set(device("led0"), 1);
  wb_led_set(device("led1"), 0xFF8000);
  printf("%.2f %.4f %.0f %d %dx%d\n", wb_motor_get_max_velocity(left), wb_motor_get_velocity(left),
         wb_distance_sensor_get_max_value(near), wb_distance_sensor_get_lookup_table_size(near),
         wb_camera_get_width(camera), wb_camera_get_height(camera));
  for (int i = 0; i < 20; i++) {
    char text[32];
    snprintf(text, sizeof text, "%s %d", wb_robot_get_name(), i);
    wb_emitter_send(mouth, text, strlen(text) + 1);
    if (wb_robot_step(STEP) == -1)
      break;
    const double *a = wb_accelerometer_get_values(acceleration), *w = wb_gyro_get_values(rate);
    const unsigned char *p = wb_camera_get_image(camera);
    unsigned sum = 0;
    for (int k = 0; k < 4 * wb_camera_get_width(camera) * wb_camera_get_height(camera); k++)
      sum = sum * 31 + p[k];
    printf("%.3f %.4f %.1f %.1f %.1f %.1f %.3f %.1f %.1f %u\n", wb_robot_get_time(), wb_position_sensor_get_value(angle),
           wb_distance_sensor_get_value(near), wb_light_sensor_get_value(light), wb_distance_sensor_get_value(far),
           wb_distance_sensor_get_value(ground), a[2], w[2], wb_robot_battery_sensor_get_value(), sum);
    for (; wb_receiver_get_queue_length(ears) > 0; wb_receiver_next_packet(ears)) {
      const double *d = wb_receiver_get_emitter_direction(ears);
      printf("heard %s %.3f %.3f %.2f\n", (const char *)wb_receiver_get_data(ears), d[0], d[1], wb_receiver_get_signal_strength(ears));
    }
  }
  wb_motor_set_velocity(left, 3);
  while (wb_robot_step(STEP) != -1) { /* until it is told to quit, or killed */
  }
  wb_robot_cleanup();
  return 0;
}
