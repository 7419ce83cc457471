// SPDX-License-Identifier: Apache-2.0
/**
 * The agent behind {@link org.ffmpi.Calls}. The JVM starts {@link org.ffmpi.profile.CallAgent} before the program;
 * {@link org.ffmpi.profile.CallRewriter} changes classes as they are loaded.
 */
package org.ffmpi.profile;
