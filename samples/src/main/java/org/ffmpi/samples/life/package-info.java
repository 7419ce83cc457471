// SPDX-License-Identifier: Apache-2.0
/** Patterns for the sample {@link org.ffmpi.samples.Life}, and its picture in a terminal. */
package org.ffmpi.samples.life;
