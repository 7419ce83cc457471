// SPDX-License-Identifier: Apache-2.0
/**
 * Views of files. {@link org.ffmpi.file.view.FilePlaces} knows where in the file the bytes of a view lie, {@link
 * org.ffmpi.file.view.Representation} how elements are written there.
 */
package org.ffmpi.file.view;
