// SPDX-License-Identifier: Apache-2.0
/** Jobs that outlive their dead, with agreement between the living ranks. */
package org.ffmpi.shm.survive;
