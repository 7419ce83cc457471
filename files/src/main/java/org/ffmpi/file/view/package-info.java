// SPDX-License-Identifier: Apache-2.0
/**
 * Views: {@link org.ffmpi.file.view.FileLayout} knows where in the file the bytes of a view lie, {@link
 * org.ffmpi.file.view.Representation} how elements are written there.
 */
package org.ffmpi.file.view;
