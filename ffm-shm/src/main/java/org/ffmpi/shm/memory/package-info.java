// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that peers read, in the shared heap, in records of datatypes, and in private memory through the kernel.
 */
package org.ffmpi.shm.memory;
