// SPDX-License-Identifier: Apache-2.0

/** Types of MPJ Express's package {@code mpjdev} that programs name, mostly in imports without a use. */
package mpjdev;
