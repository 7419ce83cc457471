// SPDX-License-Identifier: Apache-2.0
/** Ranks on several nodes: in threads over a wire within the process, and as processes over installed C libraries. */
package org.ffmpi.tests.nodes;
