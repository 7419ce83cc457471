// SPDX-License-Identifier: Apache-2.0
/** The few functions of libc that the engine needs, linked late and in the background. */
package org.ffmpi.shm.posix;
