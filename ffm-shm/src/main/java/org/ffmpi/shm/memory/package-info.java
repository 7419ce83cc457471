// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that peers read: the shared heap, records of datatypes, and reads of private memory through the kernel.
 */
package org.ffmpi.shm.memory;
