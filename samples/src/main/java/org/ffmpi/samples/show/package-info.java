// SPDX-License-Identifier: Apache-2.0
/** The common parts of the samples for arguments, lines on a terminal, colours and pictures. */
package org.ffmpi.samples.show;
