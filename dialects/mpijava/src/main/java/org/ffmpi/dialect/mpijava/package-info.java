// SPDX-License-Identifier: Apache-2.0

/** What the launcher needs of the dialect. Programs use none of it. */
package org.ffmpi.dialect.mpijava;
