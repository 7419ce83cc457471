// SPDX-License-Identifier: Apache-2.0
/**
 * The checks of {@code --check full} that need a memory of earlier calls: buffers that operations in flight use, and
 * what a rank has made and not freed. A layer over the engine; it is there only where the setting asks for it.
 */
package org.ffmpi.check;
