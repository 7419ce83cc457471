// SPDX-License-Identifier: Apache-2.0
/**
 * Ports to the families of operations that are modules of their own above this one: windows and objects. A provider is
 * found when a program makes its first call of the family. Not for programs.
 */
package org.ffmpi.port;
