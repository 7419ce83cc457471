// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the sample {@link org.ffmpi.samples.Nbody}.
 *
 * <pre>
 *   Gravity      one rank's bodies, the exchange of all bodies, the steps
 *     Body       a star, the record that the ranks exchange
 *   Galaxies     the bodies at the beginning
 *   Exposure     the picture, summed over the ranks
 * </pre>
 */
package org.ffmpi.samples.nbody;
