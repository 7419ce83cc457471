// SPDX-License-Identifier: Apache-2.0
/**
 * The choice of algorithms: the table, the settings that override it, and the explanation of a choice. All ranks
 * choose alike, because the choice depends only on facts that they share.
 */
package org.ffmpi.collectives.select;
