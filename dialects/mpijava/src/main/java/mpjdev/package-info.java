// SPDX-License-Identifier: Apache-2.0

/** What programs of MPJ Express name of its package {@code mpjdev}, most of them by an import that says too much. */
package mpjdev;
