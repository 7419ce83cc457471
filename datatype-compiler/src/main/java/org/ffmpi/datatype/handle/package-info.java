// SPDX-License-Identifier: Apache-2.0
/**
 * The objects behind datatypes. {@link org.ffmpi.datatype.handle.TypeHandle} is the one implementation of {@link
 * org.ffmpi.datatype.Datatype}; {@link org.ffmpi.datatype.handle.TypeDecoder} turns a tree back into the arguments of
 * its constructor. The API and the collectives get plans, trees and signatures of types here; programs do not see this
 * room.
 */
package org.ffmpi.datatype.handle;
