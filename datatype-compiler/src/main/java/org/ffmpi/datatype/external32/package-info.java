// SPDX-License-Identifier: Apache-2.0
/**
 * The "external32" representation (MPI-4.1 §14.5.2). {@link org.ffmpi.datatype.external32.External32} packs elements
 * into it and unpacks them, piece by piece through the type's plan.
 */
package org.ffmpi.datatype.external32;
