// SPDX-License-Identifier: Apache-2.0
/** What the samples share: arguments, lines on a terminal, colours and pictures. */
package org.ffmpi.samples.show;
