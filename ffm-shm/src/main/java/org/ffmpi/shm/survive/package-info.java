// SPDX-License-Identifier: Apache-2.0
/** Jobs that outlive their dead: which channels are broken, and agreement between the ranks that live. */
package org.ffmpi.shm.survive;
