// SPDX-License-Identifier: Apache-2.0
/**
 * Values of elements in Java. A {@link org.ffmpi.datatype.carrier.Carrier} reads and writes one element in a memory
 * segment. {@link org.ffmpi.datatype.carrier.RecordTypes} lays records out as C structs, {@link
 * org.ffmpi.datatype.carrier.LayoutTypes} reads memory layouts as types, and {@link
 * org.ffmpi.datatype.carrier.TypeLayouts} writes types as memory layouts.
 */
package org.ffmpi.datatype.carrier;
