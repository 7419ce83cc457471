// SPDX-License-Identifier: Apache-2.0

/** Types of MPJ Express's package {@code xdev} that programs name. */
package xdev;
