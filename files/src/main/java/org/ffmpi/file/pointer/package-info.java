// SPDX-License-Identifier: Apache-2.0
/** The words that the ranks of a file share, its lock and the shared file pointer. */
package org.ffmpi.file.pointer;
