// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.nbody;

/**
 * A star with its place, velocity and mass. Arrays of this record are sent as they are.
 *
 * @param x place
 * @param y place
 * @param z place
 * @param vx velocity
 * @param vy velocity
 * @param vz velocity
 * @param mass in units in which the constant of gravity is 1
 */
public record Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
  /** Returns this body after some time without any force. */
  Body drift(double time) {
    return new Body(x + time * vx, y + time * vy, z + time * vz, vx, vy, vz, mass);
  }

  /** Returns this body at the same place with another velocity. */
  Body kick(double dvx, double dvy, double dvz) {
    return new Body(x, y, z, vx + dvx, vy + dvy, vz + dvz, mass);
  }

  /** Returns this body in another place of the world, in motion with it. */
  Body shift(double dx, double dy, double dvx, double dvy) {
    return new Body(x + dx, y + dy, z, vx + dvx, vy + dvy, vz, mass);
  }

  /** Returns this body turned round the axis of x. */
  Body tilt(double angle) {
    double c = Math.cos(angle);
    double s = Math.sin(angle);
    return new Body(x, c * y - s * z, s * y + c * z, vx, c * vy - s * vz, s * vy + c * vz, mass);
  }
}
