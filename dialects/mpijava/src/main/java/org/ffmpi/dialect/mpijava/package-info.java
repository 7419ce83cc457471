// SPDX-License-Identifier: Apache-2.0

/** Support of the dialect for the launcher. Programs do not use it. */
package org.ffmpi.dialect.mpijava;
