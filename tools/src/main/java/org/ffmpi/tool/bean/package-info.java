// SPDX-License-Identifier: Apache-2.0
/**
 * The measures of a rank as attributes of an MBean, for JConsole and agents of metrics. Nothing of this package is
 * loaded unless the setting {@code ffmpi.jmx} asks for it.
 */
package org.ffmpi.tool.bean;
