// SPDX-License-Identifier: Apache-2.0
/**
 * The objects behind datatypes. {@link org.ffmpi.datatype.handle.TypeHandle} is the one implementation of {@link
 * org.ffmpi.datatype.Datatype}. The API and the collectives get plans, trees and signatures of types here; programs do
 * not see this room.
 */
package org.ffmpi.datatype.handle;
