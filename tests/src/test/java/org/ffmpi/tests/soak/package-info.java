// SPDX-License-Identifier: Apache-2.0
/** Everything mixed, for a long time: messages and results stay right, and memory stays what it is. */
package org.ffmpi.tests.soak;
