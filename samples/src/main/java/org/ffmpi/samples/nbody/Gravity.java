// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.nbody;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;

/** Moves one rank's bodies under the attraction of all bodies, by the leapfrog method. */
public final class Gravity {
  /** Bodies attract each other as if they were this far apart at least, so that close meetings stay smooth. */
  static final double SOFTENING = 0.12;

  private final IntraComm comm;
  private final Body[] own;
  private final Body[] all;
  private final long[] counts;
  private final long[] places;
  private final Buf<Body> ownBuf;
  private final Buf<Body> allBuf;
  private final double[] ax;
  private final double[] ay;
  private final double[] az;
  // All bodies' places and masses, for the inner loop.
  private final double[] x;
  private final double[] y;
  private final double[] z;
  private final double[] mass;

  /**
   * The conserved quantities.
   *
   * @param energy of motion and of attraction
   * @param px momentum
   * @param py momentum
   * @param pz momentum
   */
  public record Conserved(double energy, double px, double py, double pz) {
    /**
     * Returns how far the momentum is from another one.
     *
     * @param other the other one
     * @return the length of the difference
     */
    public double momentumFrom(Conserved other) {
      return Math.hypot(Math.hypot(px - other.px, py - other.py), pz - other.pz);
    }
  }

  /**
   * Begins. All ranks call this together.
   *
   * @param comm the ranks among which the bodies are divided, in rank order
   * @param count how many bodies there are in all
   */
  public Gravity(IntraComm comm, int count) {
    this.comm = comm;
    int ranks = comm.size();
    counts = new long[ranks];
    places = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      places[rank] = (long) count * rank / ranks;
      counts[rank] = (long) count * (rank + 1) / ranks - places[rank];
    }
    own = new Body[(int) counts[comm.rank()]];
    for (int i = 0; i < own.length; i++) {
      own[i] = Galaxies.body(first() + i, count);
    }
    all = new Body[count];
    ownBuf = Buf.of(own);
    allBuf = Buf.of(all);
    ax = new double[own.length];
    ay = new double[own.length];
    az = new double[own.length];
    x = new double[count];
    y = new double[count];
    z = new double[count];
    mass = new double[count];
    share();
    accelerate();
  }

  /**
   * Returns the number of this rank's first body.
   *
   * @return the number
   */
  public int first() {
    return (int) places[comm.rank()];
  }

  /**
   * Returns the bodies of this rank.
   *
   * @return the array in which they are
   */
  public Body[] bodies() {
    return own;
  }

  /**
   * Lets time pass. All ranks call this together.
   *
   * @param time how much
   */
  public void step(double time) {
    for (int i = 0; i < own.length; i++) {
      own[i] = kicked(i, time / 2).drift(time);
    }
    share();
    accelerate();
    for (int i = 0; i < own.length; i++) {
      own[i] = kicked(i, time / 2);
    }
  }

  private Body kicked(int i, double time) {
    return own[i].kick(time * ax[i], time * ay[i], time * az[i]);
  }

  /** Gives all ranks all bodies. */
  private void share() {
    comm.allgatherv(ownBuf, allBuf, counts, places);
    for (int i = 0; i < all.length; i++) {
      x[i] = all[i].x();
      y[i] = all[i].y();
      z[i] = all[i].z();
      mass[i] = all[i].mass();
    }
  }

  private void accelerate() {
    for (int i = 0; i < own.length; i++) {
      accelerate(i, own[i].x(), own[i].y(), own[i].z());
    }
  }

  private void accelerate(int i, double hereX, double hereY, double hereZ) {
    double sumX = 0;
    double sumY = 0;
    double sumZ = 0;
    for (int j = 0; j < x.length; j++) {
      double dx = x[j] - hereX;
      double dy = y[j] - hereY;
      double dz = z[j] - hereZ;
      double square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
      double pull = mass[j] / (square * Math.sqrt(square));
      sumX += pull * dx;
      sumY += pull * dy;
      sumZ += pull * dz;
    }
    ax[i] = sumX;
    ay[i] = sumY;
    az[i] = sumZ;
  }

  /**
   * Adds up the conserved quantities. All ranks call this together.
   *
   * @return the same at all ranks
   */
  public Conserved conserved() {
    share();
    double[] sums = new double[4];
    for (int i = 0; i < own.length; i++) {
      Body body = own[i];
      double squares = body.vx() * body.vx() + body.vy() * body.vy() + body.vz() * body.vz();
      sums[0] += body.mass() * (squares / 2 - potential(first() + i) / 2); // each pair is counted twice
      sums[1] += body.mass() * body.vx();
      sums[2] += body.mass() * body.vy();
      sums[3] += body.mass() * body.vz();
    }
    comm.allreduce(Buf.of(sums), Op.SUM);
    return new Conserved(sums[0], sums[1], sums[2], sums[3]);
  }

  private double potential(int number) {
    double sum = 0;
    for (int j = 0; j < x.length; j++) {
      double dx = x[j] - x[number];
      double dy = y[j] - y[number];
      double dz = z[j] - z[number];
      sum += j == number ? 0 : mass[j] / Math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING);
    }
    return sum;
  }
}
